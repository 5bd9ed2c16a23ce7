// The rival of the encoder's bench: tokenizer and onnxruntime in a plain loop per thread, each over its share of the
// texts from the start, with no queue, no pooling and no vectors given back.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { yieldToOthers } from '../libs/adapters/models/dist/onnx/yield-to-others.js';

const models = createRequire(import.meta.resolve('@postmaster/models'));

export const startBareLoop = async (threads) => {
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url)));
  const next = (worker) => new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await Promise.all(workers.map(next));
  return {
    run: (texts) =>
      Promise.all(
        workers.map((worker, index) => {
          worker.postMessage(texts.filter((_, i) => i % threads === index));
          return next(worker);
        }),
      ),
    close: () => Promise.all(workers.map((worker) => worker.terminate())),
  };
};

if (!isMainThread) {
  const { Tokenizer } = models('@huggingface/tokenizers');
  const ort = models('onnxruntime-node');
  const folder = new URL('.', import.meta.resolve('@postmaster/all-minilm-l6-v2/package.json'));
  const json = async (name) => JSON.parse(await readFile(new URL(name, folder), 'utf8'));
  const tokenizer = new Tokenizer(await json('tokenizer.json'), await json('tokenizer_config.json'));
  const session = await ort.InferenceSession.create(await readFile(new URL('onnx/model_quantized.onnx', folder)), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  yieldToOthers(); // at the encoder's own priority, or another program on the machine would tell them apart
  const row = (numbers) => new ort.Tensor('int64', numbers, [1, numbers.length]);
  parentPort.on('message', async (texts) => {
    for (const text of texts) {
      const ids = BigInt64Array.from(tokenizer.encode(text).ids, BigInt);
      await session.run({
        input_ids: row(ids),
        attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
        token_type_ids: row(new BigInt64Array(ids.length)),
      });
    }
    parentPort.postMessage('done');
  });
  parentPort.postMessage('ready');
}
