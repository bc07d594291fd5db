// Runs an ONNX file in onnxruntime-node, which stands in the folder of the first argument:
// inputs come on standard input as JSON, {name: {type, dims, data}} with null for NaN, and
// outputs go to standard output in the same way.
const ort = require(process.argv[2] + "/onnxruntime-node");
const arrays = { float32: Float32Array, float64: Float64Array, string: Array };

async function main() {
  const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const session = await ort.InferenceSession.create(process.argv[3], { logSeverityLevel: 3 });
  const feeds = {};
  for (const [name, v] of Object.entries(given)) {
    const numbers = v.type === "string" ? v.data : arrays[v.type].from(v.data, (x) => (x === null ? NaN : x));
    feeds[name] = new ort.Tensor(v.type, numbers, v.dims);
  }
  const results = {};
  for (const [name, v] of Object.entries(await session.run(feeds))) {
    results[name] = { type: v.type, dims: v.dims, data: Array.from(v.data) };
  }
  process.stdout.write(JSON.stringify(results));
}
main().catch((e) => { console.error(String(e)); process.exit(1); });
