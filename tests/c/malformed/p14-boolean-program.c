decl a;
void main() begin
  a := T;
end
