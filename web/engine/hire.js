/** Starts a worker of a browser. */
export function hire(hear, fail) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = () => fail(new TypeError('the worker failed'));
  return { post: (asked) => worker.postMessage(asked), end: () => worker.terminate() };
}
