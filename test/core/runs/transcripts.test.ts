import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import { CLIENTS, type Client } from '#core/runs/plan.js';
import { transcriptOf } from '../../contract/executor.js';

/** Events and verdicts that were looked at and found good; whoever changes one looks again. `vitest -u` writes them. */
const GOLDEN = path.join(import.meta.dirname, 'golden');
const TRANSCRIPTS = path.join(import.meta.dirname, '../../fixtures/transcripts');
const ENDS = [
  { code: 0, signal: null },
  { code: 1, signal: null },
  { code: null, signal: 'SIGTERM' as const },
];

/** What is made of one transcript: an event a line, then how it ended, said once for all ends that are told alike. */
function told(client: Client, transcript: string): string {
  const text = transcriptOf(client, transcript);
  const read = ENDS.map((exit) => {
    const parser = parserOf(EXECUTORS[client].reader());
    const events = parser.feed(text);
    return { events, verdict: JSON.stringify(parser.end(exit)) };
  });
  const [zero, one, signal] = read.map(({ verdict }) => verdict);
  return [
    `# ${transcript}`,
    ...(read[0]?.events ?? []).map((event) => JSON.stringify(event)),
    `exit 0: ${zero}`,
    ...(one === zero ? [] : [`exit 1: ${one}`]),
    ...(signal === zero || signal === one ? [] : [`SIGTERM: ${signal}`]),
    '',
  ].join('\n');
}

test.each(CLIENTS.filter((client) => readdirSync(TRANSCRIPTS).includes(client)))(
  '%s: each line is told as the event it is, and the end as it was',
  async (client) => {
    const names = readdirSync(path.join(TRANSCRIPTS, client)).map((file) => path.parse(file).name);
    const all = names.sort().map((name) => told(client, name));
    await expect(all.join('\n')).toMatchFileSnapshot(path.join(GOLDEN, `${client}.txt`));
  },
);
