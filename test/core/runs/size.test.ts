import { expect } from 'vitest';
import type { NodeFields } from '#core/graph/task.js';
import { bytesOf } from '#kernel/fence.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';
import { promptFor } from './facts.js';

const PROGRAM = '/usr/local/lib/node_modules/troupe/dist/cli.cjs';
const AT = '2026-03-21T10:00:00.000Z';
const WHY = [
  'The parser stops at the first error. Go on after it and collect up to twenty of them, each with its line and',
  'column; the command line prints them one a line and ends with 1. Keep the API of `parse` as it is.',
].join(' ');
const done = (id: string): NodeFields & { id: string } => ({
  id,
  title: `Have ${id} ready`,
  status: 'done',
  artifacts: [`docs/${id}.md`],
  log: [{ timestamp: AT, actor: 'agent-3', message: `${id} is written; the tests of it pass` }],
});

/** Tasks as people and plans write them, from a bare title to one with everything around it. */
const TASKS: readonly NodeFields[] = [
  { title: 'Fix the typo in the README' },
  { title: 'Bump the version', verify_cmd: 'npm test' },
  { title: 'Report every syntax error', description: WHY },
  { title: 'Report every syntax error', description: WHY, tags: ['parser'], deliverables: ['src/parse.ts'] },
  { title: 'Test the lexer', description: WHY, after: ['lexer'], verify: 'Every token kind has a test.' },
  { title: 'Write the manual', description: `${WHY} ${WHY}`, after: ['lexer', 'parser'], tags: ['docs'] },
  { title: 'Review the parser', description: WHY, exec_mode: 'light', after: ['parser'] },
  { title: 'Sum up', exec_mode: 'bare', after: ['lexer', 'parser', 'printer'] },
  { title: 'Publish', description: WHY, after: ['printer'], verify_cmd: 'make check', inputs: ['dist/cli.js'] },
];

verifies('hold.prompt.lean', 'a usual task is told in at most 4 KiB', () => {
  const sizes = TASKS.map((task, index) => {
    const id = `task-number-${index}`;
    const more = index % 2 === 0 ? [] : [{ id: 'next', title: 'What comes after', after: [id] }];
    const view = graphOf({ ...task, id }, done('lexer'), done('parser'), done('printer'), ...more);
    const mode = (task.exec_mode ?? 'full') as 'full' | 'light' | 'bare';
    const { text } = promptFor(view, id, { scope: 'task', mode, program: PROGRAM, nonce: 'IT3WwYlJbiaQ8n5sk6mHqRUL' });
    return bytesOf(text);
  }).sort((left, right) => left - right);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  console.log(`prompts in scope task: median ${median} bytes of ${sizes.join(', ')}`);
  expect(median).toBeLessThanOrEqual(4 * 1024);
});
