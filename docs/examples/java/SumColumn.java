// SPDX-License-Identifier: MIT
// Sums a column of a file, however its numbers are stored, and converts the file: SumColumn FILE COLUMN OUT.
import com.sun.jna.*;
import com.sun.jna.ptr.*;

public class SumColumn {
  @Structure.FieldOrder({"data", "size"}) public static class Bytes extends Structure implements Structure.ByValue {
    public Pointer data; public long size;
    public Bytes() {}
    Bytes(String text) {
      data = new Memory((size = text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length) + 1);
      data.setString(0, text, "UTF-8");
    }
  }
  @Structure.FieldOrder({"structSize", "flags", "from", "descriptor", "bytes", "path", "file", "store", "name", "owner", "release", "limits"})
  public static class SourceOptions extends Structure {
    public int structSize = size(), flags, from = 1 /* POLYCODEC_SOURCE_PATH */, descriptor;
    public Bytes bytes, path, name;
    public Pointer file, store, owner, release, limits;
  }
  @Structure.FieldOrder({"structSize", "code", "offset", "detail", "path", "message", "codec", "say", "sayData"})
  public static class Failure extends Structure {
    public byte[] detail = new byte[48], path = new byte[208], message = new byte[480], codec = new byte[64];
    public Pointer say, sayData; public long offset; public int code, structSize = size();
  }
  static final Failure failure = new Failure();
  static void call(String function, Object... arguments) {
    if (NativeLibrary.getInstance("polycodec").getFunction("polycodec_" + function).invokeInt(arguments) != 0)
      throw new IllegalStateException(Native.toString(failure.message, "UTF-8") + " " + Native.toString(failure.path, "UTF-8"));
  }
  public static void main(String[] arguments) {
    SourceOptions in = new SourceOptions();
    in.path = new Bytes(arguments[0]);
    PointerByReference registry = new PointerByReference(), source = new PointerByReference(), value = new PointerByReference();
    LongByReference n = new LongByReference();
    call("registry_open", null, registry, failure);
    call("source_open", in, source, failure);
    call("decode", registry.getValue(), source.getValue(), null, null, value, null, failure);
    call("value_numbers", value.getValue(), new Bytes(arguments[1]), 14 /* FLOAT64 */, null, 0L, null, n, failure);
    double[] numbers = new double[(int) n.getValue()];
    call("value_numbers", value.getValue(), new Bytes(arguments[1]), 14, numbers, n.getValue(), null, n, failure);
    System.out.printf("%d numbers, sum %s%n", numbers.length, java.util.stream.DoubleStream.of(numbers).sum());
    call("convert", registry.getValue(), source.getValue(), null, new Bytes(arguments[2]), null, null, null, null, failure);
  }
}
