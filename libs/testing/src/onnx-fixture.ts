/**
 * A cross-encoder in ONNX without learned weights, written byte by byte: its logit for a pair is how many of the
 * question's tokens equal one of the text's, counted in pairs, less `bias`. Opset 13; a few hundred bytes.
 *
 * `outputs` above 1 gives as many equal logits, which is no cross-encoder of ours.
 */
export const overlapModel = ({ bias = 3, outputs = 1 } = {}): Uint8Array => {
  const nodes = [
    node('Unsqueeze', ['input_ids', 'last'], ['ids_down']),
    node('Unsqueeze', ['input_ids', 'first'], ['ids_across']),
    node('Equal', ['ids_down', 'ids_across'], ['same']),
    node('Unsqueeze', ['token_type_ids', 'last'], ['types_down']),
    node('Unsqueeze', ['token_type_ids', 'first'], ['types_across']),
    node('Less', ['types_down', 'types_across'], ['across']), // the question's (0) against the text's (1)
    node('And', ['same', 'across'], ['shared']),
    node('Cast', ['shared'], ['counted'], [attribute('to', FLOAT)]),
    node('ReduceSum', ['counted', 'both'], ['sum'], [attribute('keepdims', 0)]),
    node('Sub', ['sum', 'bias'], ['less']),
    node('Expand', ['less', 'shape'], ['logits']),
  ];
  const initializers = [
    integers('last', [2]),
    integers('first', [1]),
    integers('both', [1, 2]),
    integers('shape', [1, outputs]),
    message([varint(1, 1), varint(2, FLOAT), text(8, 'bias'), bytes(9, new Uint8Array(Float32Array.of(bias).buffer))]),
  ];
  const inputs = ['input_ids', 'token_type_ids'].map((name) => value(name, INT64));
  const graph = message([
    ...nodes.map((one) => bytes(1, one)),
    text(2, 'overlap'),
    ...initializers.map((one) => bytes(5, one)),
    ...inputs.map((one) => bytes(11, one)),
    bytes(12, value('logits', FLOAT)),
  ]);
  const opset = message([text(1, ''), varint(2, 13)]);
  return message([varint(1, 7), text(2, 'postmaster'), bytes(7, graph), bytes(8, opset)]);
};

// the fields' numbers are those of onnx.proto3
const FLOAT = 1;
const INT64 = 7;

const node = (type: string, inputs: string[], outputs: string[], attributes: Uint8Array[] = []): Uint8Array =>
  message([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, type),
    ...attributes.map((one) => bytes(5, one)),
  ]);

const attribute = (name: string, given: number): Uint8Array =>
  message([text(1, name), varint(3, given), varint(20, 2 /* INT */)]);

/** A tensor of one dimension. */
const integers = (name: string, values: number[]): Uint8Array =>
  message([
    varint(1, values.length),
    varint(2, INT64),
    text(8, name),
    bytes(9, new Uint8Array(BigInt64Array.from(values, BigInt).buffer)),
  ]);

/** An input or output of two dimensions, each of any size. */
const value = (name: string, type: number): Uint8Array => {
  const dimension = (label: string) => bytes(1, message([text(2, label)]));
  const shape = message([dimension(`${name}_rows`), dimension(`${name}_columns`)]);
  return message([text(1, name), bytes(2, message([bytes(1, message([varint(1, type), bytes(2, shape)]))]))]);
};

/** Protocol Buffers: a key of field number and wire type, then a number, or a length and as many bytes. */
const message = (fields: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(fields));
const varint = (field: number, given: number): Uint8Array => Uint8Array.from([field << 3, given].flatMap(sevenBits));
const bytes = (field: number, content: Uint8Array): Uint8Array =>
  message([Uint8Array.from([...sevenBits((field << 3) | 2), ...sevenBits(content.length)]), content]);
const text = (field: number, content: string): Uint8Array => bytes(field, Buffer.from(content));

const sevenBits = (given: number): number[] => {
  const low: number[] = [];
  for (let rest = given; ; rest >>>= 7) {
    if (rest < 128) return [...low, rest];
    low.push((rest & 127) | 128);
  }
};
