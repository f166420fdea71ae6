import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe } from './program.js';

const ESCAPE = '\u001b[';

/** The cycle of the worked example, once round. */
async function reviewCycle(): Promise<string> {
  const cwd = await project();
  const done = async (...words: string[]) => expect((await troupe(words, { cwd })).code, words.join(' ')).toBe(0);
  await done('add', 'Write draft', '--max-iterations', '5', '--cycle-guard', 'task:review-draft=failed');
  await done('add', 'Review draft', '--after', 'write-draft');
  await done('add', 'Revise draft', '--after', 'review-draft');
  await done('edit', 'write-draft', '--add-after', 'revise-draft');
  await done('add', 'Publish', '--after', 'revise-draft');
  await done('claim', 'write-draft');
  await done('done', 'write-draft');
  await done('claim', 'review-draft');
  await done('fail', 'review-draft', '--reason', 'too long');
  await done('claim', 'revise-draft');
  await done('done', 'revise-draft');
  return cwd;
}

verifies(
  'graph.viz.text',
  'a cycle that went round once, as a tree: plain when piped, coloured when told to be',
  async () => {
    const cwd = await reviewCycle();
    const { stdout, stderr } = await troupe(['viz'], { cwd });
    expect(stdout.split('\n')).toEqual([
      '◎ write-draft  ↺ (iter 1/5) ◀─╮',
      '╰─○ review-draft              │',
      '  ╰─○ revise-draft ───────────╯',
      '    ╰─○ publish',
      '',
    ]);
    expect(stderr).toContain('○ 3 open   ◎ 1 ready   ↺ repeats');
    const coloured = await troupe(['viz'], { cwd, env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toContain(`${ESCAPE}34m◎`);
    for (const env of [{ NO_COLOR: '1', FORCE_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect((await troupe(['viz'], { cwd, env })).stdout).not.toContain(ESCAPE);
    }
    expect((await troupe(['viz', '--no-color'], { cwd, env: { FORCE_COLOR: '1' } })).stdout).not.toContain(ESCAPE);
  },
);

verifies('graph.viz.graph', 'the same as boxes, for Graphviz, for Mermaid and as data', async () => {
  const cwd = await reviewCycle();
  const boxes = (await troupe(['viz', '--graph'], { cwd })).stdout;
  expect(boxes).toContain('│ ◎ Write draft  │◀╮');
  expect(boxes).toContain('│ ○ Revise draft ├─╯');
  expect((await troupe(['viz', '--dot'], { cwd })).stdout).toMatch(/^digraph tasks \{\n[\s\S]*\n\}\n$/);
  expect((await troupe(['viz', '--mermaid'], { cwd })).stdout).toMatch(/^flowchart TD\n/);
  const data = await asked<{ edges: unknown[]; layers: string[][] }>(['viz', '--graph'], { cwd });
  expect(data.edges).toContainEqual({ from: 'revise-draft', to: 'write-draft', back: true });
  expect(data.layers).toEqual([['write-draft'], ['review-draft'], ['revise-draft'], ['publish']]);
  const both = await troupe(['viz', '--dot', '--graph'], { cwd });
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--graph and --dot')]);
});

verifies(
  'graph.viz.graph',
  'without Graphviz a picture file is refused with what to install, and what needs none is written',
  async () => {
    const cwd = await reviewCycle();
    const refused = await troupe(['viz', '-o', 'graph.svg'], { cwd, env: { PATH: path.dirname(process.execPath) } });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('error[dot_missing]');
    expect(refused.stderr).toContain('apt install graphviz');
    expect(existsSync(path.join(cwd, 'graph.svg'))).toBe(false);
    const written = await troupe(['viz', '-o', 'graph.mmd'], { cwd });
    expect(written.stdout).toBe(`Wrote ${path.join(cwd, 'graph.mmd')}: 4 tasks.\n`);
  },
);

verifies(
  'graph.viz.text',
  'what is finished or internal is counted and shown on demand; a filter that matches nothing says so',
  async () => {
    const cwd = await project();
    expect((await troupe(['viz'], { cwd })).stdout).toContain('No tasks yet');
    const line = (id: string, status: string, more = {}) =>
      JSON.stringify({ kind: 'task', id, title: id, status, ...more });
    const lines = [
      line('.place-a', 'open', { after: ['a'] }),
      line('a', 'open', { tags: ['core'] }),
      line('b', 'done'),
    ];
    writeFileSync(path.join(cwd, '.workgraph/graph.jsonl'), `${lines.join('\n')}\n`);
    const { stdout, stderr } = await troupe(['viz'], { cwd });
    expect(stdout).toBe('◎ a\n');
    expect(stderr).toContain('1 finished task hidden (--all)   1 internal task hidden (--show-internal)');
    expect((await troupe(['viz', '--all', '--show-internal'], { cwd })).stdout).toBe('◎ a\n╰─○ .place-a\n● b\n');
    expect((await troupe(['viz', '--status', 'failed'], { cwd })).stdout).toBe('None of the 3 tasks match.\n');
    expect((await troupe(['viz', '--tag', 'core'], { cwd })).stdout).toBe('◎ a\n');
    expect((await troupe(['viz', '--status', 'finished'], { cwd })).code).toBe(2);
    expect((await troupe(['viz', 'nobody'], { cwd })).stderr).toContain('error[unknown_task]');
  },
);

verifies(['graph.viz.text', 'graph.viz.graph'], 'with a service up, the picture is of the moment', async () => {
  const cwd = await reviewCycle();
  await startService(cwd);
  await asked(['add', 'Late task', '--after', 'publish'], { cwd });
  expect((await troupe(['viz'], { cwd })).stdout).toContain('╰─○ late-task');
});
