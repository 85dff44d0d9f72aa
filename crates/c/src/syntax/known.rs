//! The attributes of GCC, by what they mean for a verdict.  docs/c-attributes.md has the same table.

/// The use that the front end makes of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// It changes nothing that a verdict is about, and is dropped.
    Harmless,
    /// The declaration that it belongs to is read with it, or refused with a reason of its own.
    Read,
    /// It changes layout, linkage or control in a way that is not implemented.
    Refused,
    /// Another file may replace the definition: a warning says that this is taken not to happen.
    Weak,
    /// A warning says that it is ignored.
    Unknown,
}

/// Read with the declaration, each by the part of the front end that it is about; where it cannot be had, it is refused.
pub(crate) const READ: &[&str] = &[
    "mode",
    "aligned",
    "packed",
    "vector_size",
    "cleanup",
    "alias",
    "weakref",
    "constructor",
    "destructor",
    "noreturn",
    "pure",
    "const",
    "gnu_inline",
    "always_inline",
];

/// Refused wherever they occur.
pub(crate) const REFUSED: &[&str] = &[
    "address",
    "ifunc",
    "interrupt",
    "interrupt_handler",
    "hardbool",
    "io",
    "ms_struct",
    "naked",
    "noinit",
    "persistent",
    "progmem",
    "scalar_storage_order",
    "signal",
    "symver",
    "target_clones",
    "vector_mask",
];

/// Dropped.
pub(crate) const HARMLESS: &[&str] = &[
    "access",
    "alloc_align",
    "alloc_size",
    "artificial",
    "assume_aligned",
    "cdecl",
    "cf_check",
    "cold",
    "common",
    "copy",
    "counted_by",
    "deprecated",
    "designated_init",
    "dllexport",
    "dllimport",
    "error",
    "expected_throw",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "gcc_struct",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "ms_abi",
    "musttail",
    "no_address_safety_analysis",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "noclone",
    "nocf_check",
    "nocommon",
    "noinline",
    "noipa",
    "nonnull",
    "nonnull_if_nonzero",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "objc_root_class",
    "optimize",
    "patchable_function_entry",
    "reproducible",
    "regparm",
    "retain",
    "returns_nonnull",
    "returns_twice",
    "section",
    "sentinel",
    "simd",
    "sseregparm",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "sysv_abi",
    "tainted_args",
    "target",
    "thiscall",
    "tls_model",
    "transparent_union",
    "unavailable",
    "uninitialized",
    "unsequenced",
    "unused",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

/// Whether an attribute stays in the text, for the declaration to be read with it.
pub(crate) fn stays(name: &str) -> bool {
    matches!(treatment(name), Treatment::Read | Treatment::Weak)
}

/// The name without the underlines around it: `packed` for `__packed__`.
pub(crate) fn plain(name: &str) -> &str {
    name.trim_matches('_')
}

/// The treatment of the attribute with this plain name.
pub(crate) fn treatment(name: &str) -> Treatment {
    if READ.contains(&name) {
        Treatment::Read
    } else if REFUSED.contains(&name) {
        Treatment::Refused
    } else if name == "weak" {
        Treatment::Weak
    } else if HARMLESS.contains(&name) {
        Treatment::Harmless
    } else {
        Treatment::Unknown
    }
}

/// An attribute about which the user hears something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Noted {
    /// Offset in the original text.
    pub at: usize,
    pub name: String,
    pub treatment: Treatment,
}

impl Noted {
    pub fn what(&self) -> String {
        format!("the attribute '{}'", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page names each, once.
    #[test]
    fn the_page_has_the_table() {
        let page = include_str!("../../../../docs/c-attributes.md");
        for name in READ.iter().chain(REFUSED).chain(HARMLESS) {
            assert!(page.contains(&format!("`{name}`")), "docs/c-attributes.md lacks `{name}`");
        }
    }
}
