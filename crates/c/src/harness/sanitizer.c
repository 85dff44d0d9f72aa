/* What gcc calls, with -fno-sanitize-recover, where the behaviour is undefined. */
void __ubsan_handle_add_overflow_abort(void *place, void *a, void *b) { hardbop_reached(); }
void __ubsan_handle_sub_overflow_abort(void *place, void *a, void *b) { hardbop_reached(); }
void __ubsan_handle_mul_overflow_abort(void *place, void *a, void *b) { hardbop_reached(); }
void __ubsan_handle_negate_overflow_abort(void *place, void *a) { hardbop_reached(); }
void __ubsan_handle_divrem_overflow_abort(void *place, void *a, void *b) { hardbop_reached(); }
void __ubsan_handle_shift_out_of_bounds_abort(void *place, void *a, void *b) { hardbop_reached(); }
void __ubsan_handle_out_of_bounds_abort(void *place, void *index) { hardbop_reached(); }
void __ubsan_handle_vla_bound_not_positive_abort(void *place, void *bound) { hardbop_reached(); }
void __ubsan_handle_type_mismatch_v1_abort(void *place, void *pointer) { hardbop_reached(); }
void __ubsan_handle_builtin_unreachable(void *place) { hardbop_reached(); }
void __ubsan_handle_float_cast_overflow_abort(void *place, void *from) { hardbop_reached(); }
