//! The control-flow graph of one procedure, before the procedure is put together.

use crate::language::program::{Edge, EdgeId, Node, NodeId, Procedure, VarId};
use hardbop_base::source::Span;

/// A control-flow graph; the fields are those of [`crate::language::program::Procedure`].
#[derive(Debug)]
pub(crate) struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub outgoing: Vec<Vec<EdgeId>>,
    pub entry: NodeId,
    pub exit: NodeId,
    pub error: NodeId,
}

impl Graph {
    /// The procedure with this graph, and with these other fields.
    pub(crate) fn procedure(
        self,
        name: String,
        [formals, locals, returns]: [Vec<VarId>; 3],
        span: Span,
    ) -> Procedure {
        let Self { nodes, edges, outgoing, entry, exit, error } = self;
        Procedure {
            name,
            formals,
            locals,
            returns,
            nodes,
            edges,
            outgoing,
            entry,
            exit,
            error,
            span,
        }
    }
}
