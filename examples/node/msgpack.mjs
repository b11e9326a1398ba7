// The part of msgpack that the protocol needs: write maps of plain values, read everything.
// Maps become objects, so the integer keys of maps of balls become strings: balls["0"].

export function pack(value) {
  const bytes = [];
  put(bytes, value);
  return Uint8Array.from(bytes);
}

function put(bytes, value) {
  if (value === null || value === undefined) bytes.push(0xc0);
  else if (typeof value === "boolean") bytes.push(value ? 0xc3 : 0xc2);
  else if (typeof value === "number") putNumber(bytes, value);
  else if (typeof value === "string") {
    const text = new TextEncoder().encode(value);
    bytes.push(0xda, text.length >> 8, text.length & 255, ...text);
  } else if (Array.isArray(value)) {
    bytes.push(0xdc, value.length >> 8, value.length & 255);
    for (const item of value) put(bytes, item);
  } else {
    const entries = Object.entries(value);
    bytes.push(0xde, entries.length >> 8, entries.length & 255);
    for (const [key, item] of entries) {
      put(bytes, key);
      put(bytes, item);
    }
  }
}

function putNumber(bytes, value) {
  const view = new DataView(new ArrayBuffer(8));
  const whole = Number.isSafeInteger(value);
  if (whole) view.setBigInt64(0, BigInt(value));
  else view.setFloat64(0, value);
  bytes.push(whole ? 0xd3 : 0xcb, ...new Uint8Array(view.buffer));
}

export function unpack(buffer) {
  const view = new DataView(buffer);
  let at = 0;
  const take = (size) => (at += size) - size;
  const bytes = (size) => new Uint8Array(buffer, take(size), size);
  const text = (size) => new TextDecoder().decode(bytes(size));
  const list = (size) => Array.from({ length: size }, read);
  const map = (size) => Object.fromEntries(Array.from({ length: size }, () => [read(), read()]));
  const size = { 1: () => view.getUint8(take(1)), 2: () => view.getUint16(take(2)), 4: () => view.getUint32(take(4)) };

  function read() {
    const kind = view.getUint8(take(1));
    if (kind < 0x80) return kind;
    if (kind < 0x90) return map(kind & 15);
    if (kind < 0xa0) return list(kind & 15);
    if (kind < 0xc0) return text(kind & 31);
    if (kind >= 0xe0) return kind - 256;
    switch (kind) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: case 0xc5: case 0xc6: return bytes(size[1 << (kind - 0xc4)]());
      case 0xca: return view.getFloat32(take(4));
      case 0xcb: return view.getFloat64(take(8));
      case 0xcc: case 0xcd: case 0xce: return size[1 << (kind - 0xcc)]();
      case 0xcf: return Number(view.getBigUint64(take(8))); // below 2^53, like all our integers
      case 0xd0: return view.getInt8(take(1));
      case 0xd1: return view.getInt16(take(2));
      case 0xd2: return view.getInt32(take(4));
      case 0xd3: return Number(view.getBigInt64(take(8)));
      case 0xd9: case 0xda: case 0xdb: return text(size[1 << (kind - 0xd9)]());
      case 0xdc: case 0xdd: return list(size[2 << (kind - 0xdc)]());
      case 0xde: case 0xdf: return map(size[2 << (kind - 0xde)]());
      default: throw new Error(`no msgpack of ours begins with ${kind}`);
    }
  }
  return read();
}
