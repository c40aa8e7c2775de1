// Workers that share columns, asked from a test: node pool.mjs WORKERS MOVES... Every answer is a line of JSON; the last one
// tells how often this thread came to do something else meanwhile.
import { hire } from '../../../web/engine/hire-node.js';
import { Pool } from '../../../web/engine/pool.js';

const [workers, ...asked] = process.argv.slice(2);
const pool = new Pool(hire, { workers: Number(workers) });
let beats = 0;
const heart = setInterval(() => (beats += 1), 2);
for (const moves of asked) {
  const heard = [];
  const found = await pool.analyse(moves, { oncolumn: ({ column }) => heard.push(column) });
  console.log(JSON.stringify({ ...found, heard }));
}
clearInterval(heart);
console.log(JSON.stringify(beats));
