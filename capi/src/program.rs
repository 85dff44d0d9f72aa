//! Boolean programs built call by call: the functions of `hardbop_bp::language::build`.

use std::ffi::c_char;

use hardbop_base::source::Source;
use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, quoted};
use hardbop_bp::language::syntax::Expression;

use crate::border::{Out, Text, Texts, give};
use crate::handle::{Handle, Kind};
use crate::status::{Error, Status, enter};

/// `hardbop_program`
#[derive(Clone, Default)]
pub struct Built(pub ProgramBuilder);

impl Kind for Built {
    const NAME: &'static str = "program";
}

/// `hardbop_procedure`; nothing once it is part of a program.
struct Part(Option<ProcedureBuilder>);

impl Kind for Part {
    const NAME: &'static str = "procedure";
}

/// As an error of this interface.
pub fn refused(error: BuildError) -> Error {
    match &error {
        BuildError::Program { program, diagnostics } => Error::input(program, diagnostics),
        _ => Error::new(Status::Misuse, error.to_string()),
    }
}

/// An expression as the language writes it.
fn expression(text: &str, what: &str) -> Result<Expression, Error> {
    text.parse().map_err(|diagnostics: Vec<_>| Error::input(&Source::new(what, text), &diagnostics))
}

fn expressions(texts: &Texts, count: usize, what: &str) -> Result<Vec<Expression>, Error> {
    texts.read(count, what)?.into_iter().map(|text| expression(text, what)).collect()
}

/// Adds a statement.
fn add(
    procedure: &Handle<Part>,
    work: impl FnOnce(&mut ProcedureBuilder) -> Result<&mut ProcedureBuilder, BuildError>,
) -> Result<(), Error> {
    procedure.with(|part| {
        let gone = || Error::new(Status::Misuse, "the procedure is part of a program already");
        work(part.0.as_mut().ok_or_else(gone)?).map(|_| ()).map_err(refused)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_program_new(out: Out<Handle<Built>>) -> Status {
    enter(|| {
        out.check()?;
        out.set(Handle::new(Built::default()))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_program_free(program: Handle<Built>) -> Status {
    enter(|| program.free())
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_program_global(program: Handle<Built>, name: Text) -> Status {
    enter(|| {
        let name = name.read("name")?;
        program.with(|p| p.0.global(name).map(|_| ()).map_err(refused))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_program_add(program: Handle<Built>, procedure: Handle<Part>) -> Status {
    enter(|| {
        program.with(|p| {
            procedure.with(|part| {
                let gone =
                    || Error::new(Status::Misuse, "the procedure is part of a program already");
                let builder = part.0.clone().ok_or_else(gone)?;
                p.0.procedure(builder).map_err(refused)?;
                part.0 = None;
                Ok(())
            })
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_program_text(program: Handle<Built>, out: Out<*mut c_char>) -> Status {
    enter(|| {
        out.check()?;
        give(&program.with(|p| Ok(p.0.text()))?, &out)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_quote(name: Text, out: Out<*mut c_char>) -> Status {
    enter(|| {
        out.check()?;
        give(&quoted(name.read("name")?).map_err(refused)?, &out)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_new(name: Text, returns: usize, out: Out<Handle<Part>>) -> Status {
    enter(|| {
        out.check()?;
        if returns > 1 << 20 {
            let message = format!("a procedure cannot have {returns} values");
            return Err(Error::new(Status::OutOfRange, message));
        }
        let mut procedure = ProcedureBuilder::new(name.read("name")?).map_err(refused)?;
        procedure.returns(returns);
        out.set(Handle::new(Part(Some(procedure))))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_free(procedure: Handle<Part>) -> Status {
    enter(|| procedure.free())
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_formal(procedure: Handle<Part>, name: Text) -> Status {
    enter(|| {
        let name = name.read("name")?;
        add(&procedure, |p| p.formal(name))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_local(procedure: Handle<Part>, name: Text) -> Status {
    enter(|| {
        let name = name.read("name")?;
        add(&procedure, |p| p.local(name))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_label(procedure: Handle<Part>, name: Text) -> Status {
    enter(|| {
        let name = name.read("name")?;
        add(&procedure, |p| p.label(name))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_skip(procedure: Handle<Part>) -> Status {
    enter(|| add(&procedure, |p| Ok(p.skip())))
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_assign(
    procedure: Handle<Part>,
    count: usize,
    targets: Texts,
    values: Texts,
    constrain: Text,
) -> Status {
    enter(|| {
        let targets = targets.read(count, "targets")?;
        let values = expressions(&values, count, "values")?;
        let constrain = constrain.optional("constrain")?;
        let constrain = constrain.map(|c| expression(c, "constrain")).transpose()?;
        add(&procedure, |p| p.assign_all(targets.into_iter().zip(values), constrain))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_call(
    procedure: Handle<Part>,
    target_count: usize,
    targets: Texts,
    callee: Text,
    argument_count: usize,
    arguments: Texts,
) -> Status {
    enter(|| {
        let targets = targets.read(target_count, "targets")?;
        let callee = callee.read("callee")?;
        let arguments = expressions(&arguments, argument_count, "arguments")?;
        add(&procedure, |p| p.call(&targets, callee, arguments))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_assume(procedure: Handle<Part>, condition: Text) -> Status {
    enter(|| {
        let condition = expression(condition.read("condition")?, "condition")?;
        add(&procedure, |p| p.assume(condition))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_assert(procedure: Handle<Part>, condition: Text) -> Status {
    enter(|| {
        let condition = expression(condition.read("condition")?, "condition")?;
        add(&procedure, |p| p.assert(condition))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_goto(
    procedure: Handle<Part>,
    count: usize,
    labels: Texts,
) -> Status {
    enter(|| {
        let labels = labels.read(count, "labels")?;
        add(&procedure, |p| p.goto(&labels))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_return(
    procedure: Handle<Part>,
    count: usize,
    values: Texts,
) -> Status {
    enter(|| {
        let values = expressions(&values, count, "values")?;
        add(&procedure, |p| p.return_values(values))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_begin_if(procedure: Handle<Part>, condition: Text) -> Status {
    enter(|| {
        let condition = expression(condition.read("condition")?, "condition")?;
        add(&procedure, |p| p.begin_if(condition))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_else_if(procedure: Handle<Part>, condition: Text) -> Status {
    enter(|| {
        let condition = expression(condition.read("condition")?, "condition")?;
        add(&procedure, |p| p.else_if(condition))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_else(procedure: Handle<Part>) -> Status {
    enter(|| add(&procedure, ProcedureBuilder::otherwise))
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_end_if(procedure: Handle<Part>) -> Status {
    enter(|| add(&procedure, ProcedureBuilder::end_if))
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_begin_while(procedure: Handle<Part>, condition: Text) -> Status {
    enter(|| {
        let condition = expression(condition.read("condition")?, "condition")?;
        add(&procedure, |p| p.begin_while(condition))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_procedure_end_while(procedure: Handle<Part>) -> Status {
    enter(|| add(&procedure, ProcedureBuilder::end_while))
}
