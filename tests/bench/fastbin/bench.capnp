# The same data for Cap'n Proto.
@0xb5d2a1f0c3e49687;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("bench_capnp");

enum Side { sell @0; buy @1; }
struct Small { id @0 :UInt64; price @1 :Float64; quantity @2 :Int32; side @3 :Side; }
struct Series { name @0 :Text; samples @1 :List(Float64); }
struct Point { time @0 :Int64; price @1 :Float64; volume @2 :Float64; id @3 :UInt64; }
struct Points { items @0 :List(Point); }
struct Item { id @0 :Int64; name @1 :Text; value @2 :Float64; }
struct Items { items @0 :List(Item); }
