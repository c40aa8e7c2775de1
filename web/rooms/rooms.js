// The Python rooms of the house in a worker or in Node: Pyodide, the package itself, and `claimeven._core` answered by
// the engine beside it (src/claimeven/browser). Whoever calls has the runtime of npm, and the files of `make static`.

// How the functions of native/web take their values: i a number, w a word of 64 bits, r a row of numbers or bytes with its length.
const PLACE = 'iiiwwww';
const CALLS = {
  perft: `${PLACE}i`,
  solver_new: 'ii',
  solver_delete: 'i',
  solver_clear: 'i',
  solver_add_book: 'ii',
  solver_solve: `i${PLACE}iiiii`,
  solver_analyse: `i${PLACE}iiiii`,
  evaluate: `${PLACE}irw`,
  minimax: `${PLACE}rwiiiii`,
  mcts_new: 'iiiiiiiiiii',
  mcts_delete: 'i',
  mcts_run: 'iwwwwwiii',
  network_new: 'i',
  network_add: 'iiiiiiiir',
  network_delete: 'i',
  network_views: 'iww',
  network_wishes: 'iww',
  network_search: 'iwwiii',
  network_puct: 'iwwiii',
};

/** What browser/core.py calls. What the engine refuses comes back as a text. `late.networks`: of network.wasm, once loaded. */
function bridge(engine, pyodide, late) {
  const called = (how, name, given) => {
    const asked = name.startsWith('network_') ? late.networks : engine;
    const [values, rows] = [[], []];
    [...CALLS[name]].forEach((kind, at) => {
      if (kind === 'r') {
        rows.push(asked.put(given[at]));
        values.push(rows.at(-1), given[at].length);
      } else values.push(kind === 'w' ? BigInt.asUintN(64, BigInt(given[at])) : Number(given[at]));
    });
    try {
      return asked[how](name, ...values);
    } finally {
      for (const row of rows) asked.call('free', row);
    }
  };
  const told = (work) => {
    try {
      return work();
    } catch (error) {
      if (error.constructor.name !== 'EngineError') throw error;
      return error.message;
    }
  };
  let watcher = null;
  engine.beat = (nodes) => (watcher ? watcher(nodes) : false);
  return {
    call: (name, ...given) => called('call', name, given),
    ask: (name, ...given) => told(() => Float64Array.from(called('ask', name, given))),
    make: (name, ...given) => told(() => called('make', name, given)),
    row: (numbers) => Float64Array.from(numbers.toJs()),
    bytes: (data) => data.toJs(),
    book: (path) =>
      told(() => {
        const { at, version, plies, positions, size, isIntact } = engine.openBook(pyodide.FS.readFile(path));
        return [at, version, plies, positions, size, Number(isIntact)];
      }),
    watch: (beat) => {
      watcher?.destroy();
      watcher = beat ? beat.copy() : null;
    },
  };
}

/**
 * The rooms, ready to answer: `answer(method, address, body, tell)` gives [status, media type, text], as the server would.
 * `files`: bytes of rooms.zip, of the wheel of msgspec, and of the book.
 */
export async function openRooms(loadPyodide, options, engine, files) {
  const pyodide = await loadPyodide(options);
  const place = pyodide.runPython('import site; site.getsitepackages()[0]');
  for (const archive of files.archives) pyodide.unpackArchive(archive, 'zip', { extractDir: place });
  if (files.book) pyodide.FS.writeFile(`${place}/claimeven/book-7x6x4.bin`, files.book);
  const late = { networks: null };
  const house = pyodide.pyimport('claimeven.browser.house').start(bridge(engine, pyodide, late));
  const keep = (path, bytes) => {
    const whole = `${place}/claimeven/data/${path}`;
    pyodide.FS.mkdirTree(whole.slice(0, whole.lastIndexOf('/')));
    pyodide.FS.writeFile(whole, bytes);
  };
  return {
    keep,
    learn(name, network, networks) {
      late.networks ??= networks;
      networks.beat = engine.beat;
      keep(`networks/${name}.network`, network);
    },
    async answer(method, address, body, tell) {
      const told = await house.answer(method, address, body ?? undefined, tell ?? undefined); // null is no None
      try {
        return told.toJs();
      } finally {
        told.destroy();
      }
    },
  };
}
