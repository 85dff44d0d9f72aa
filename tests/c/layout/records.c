struct A { char a; int b; char c; short d; };
struct B { char a; long long b; char c; double d; float e; long double f; char g; };
struct C { struct A a; char b; struct B c[2]; char d; };
union D { char a[5]; int b; struct A c; };
struct E { char a; union { int b; char c; }; struct { short d; char e; }; char f; };
struct F { unsigned a : 3; unsigned b : 30; unsigned c : 1; char d; unsigned e : 9; };
struct G { char a; int b : 7; int : 0; int c : 3; short d : 5; char e : 4; char f : 5; };
struct H { long long a : 33; int b : 4; long long c : 40; char d; };
struct __attribute__((packed)) I { char a; int b; short c; };
struct J { char a; int b; } __attribute__((packed));
struct K { char a; int b __attribute__((packed)); char c; int d __attribute__((aligned(16))); };
struct L { char a; } __attribute__((aligned(8)));
#pragma pack(push, 1)
struct M { char a; int b; short c; };
struct M2 { char a; int b : 20; int c : 13; short d : 9; };
#pragma pack(2)
struct N { char a; int b; long long c; };
#pragma pack(pop)
struct O { char a; int b; };
struct P { int a; char b[]; };
struct Q { struct L a; char b; struct L c; };
struct R { _Bool a : 1; _Bool b : 1; unsigned char c : 6; _Bool d; };
struct S { char a; int : 5; char b; };
struct T { int : 3; char a; };
struct U { char a; short : 0; char b; };
union V { int a : 3; char b; };
struct W {};
struct X { char a; struct W w; int b[0]; char c; };
struct Y { enum { Y1, Y2 } a; void *b; int (*c)(void); char d[3][5]; };
struct Z { char a; long long : 0; char b; };
struct AA { char a; int b : 3; } ;
struct BB { short a : 9; short b : 9; long c : 20; unsigned char d : 3; };
struct CC { int a : 1; long long b : 1; };
struct DD { char c[3]; int b : 9; };
struct __attribute__((packed)) EE { int a : 3; int b : 20; char c; unsigned d : 9; };
int main(void) { return 0; }
