import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { clientProject, inRun, say } from './client-world.js';
import { asked, readJson, textOf, until, untilStatus } from './program.js';
import { addPlay, logOf, repositoryProject, serveClients, shownTask } from './repository-world.js';

const ASK = 'silent_end = "ask"';
const QUESTION = 'You ended without a report';

/** The settings of a project whose runs are asked. */
function asking(cwd: string): string {
  const file = path.join(cwd, '.workgraph/config.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/silent_end = .*/, ASK));
  return cwd;
}

verifies(
  ['hold.silent-end', 'hold.last-words', 'wait.question'],
  'a killed service loses neither the question nor asks it twice; the session is resumed with it, and the reviewer reads the last words',
  async () => {
    const cwd = asking(await clientProject());
    await addPlay(cwd, 'q', 'quiet-slow');
    await addPlay(cwd, 'after', 'success', '--after', 'q');
    const { pid } = await serveClients(cwd);
    await until('the client to begin', () => textOf(inRun(cwd, 'agent-1', 'heartbeat.json')).includes('progress_at'));
    process.kill(pid, 'SIGKILL');
    say(cwd, 'agent-1', 'go');
    // Nobody hears of the end: the run settles itself.
    await until('the question to stand in the graph', async () => (await shownTask(cwd, 'q'))['asked_to_report'] === 1);
    await serveClients(cwd);
    await until('the second to begin', () => textOf(inRun(cwd, 'agent-2', 'heartbeat.json')).includes('progress_at'));
    expect(textOf(inRun(cwd, 'agent-2', 'seen-args')).split('\0')).toContain('--resume');
    expect(textOf(inRun(cwd, 'agent-2', 'prompt.txt'))).toContain(QUESTION);
    expect(textOf(inRun(cwd, 'agent-1', 'prompt.txt'))).not.toContain(QUESTION);
    say(cwd, 'agent-2', 'go');
    await untilStatus(cwd, 'q', 'pending-validation');
    expect(logOf(cwd).filter(({ op, task_id }) => op === 'claim' && task_id === 'q')).toHaveLength(2);
    expect(await asked<object>(['show', 'q'], { cwd })).toMatchObject({ last_words: 'Shall I go on?' });
    expect((await shownTask(cwd, 'q'))['failure_reason']).toContain('Its last words: Shall I go on?');
    expect((await shownTask(cwd, 'after'))['status']).toBe('open');
    expect(readJson(inRun(cwd, 'agent-2', 'result.json'))).toMatchObject({ last_words: 'Shall I go on?' });

    // What is advised helps as it stands; here the person has something to say.
    const { problems } = await asked<{ problems: { task: string; command: string }[] }>(['problems'], { cwd });
    expect(problems.find(({ task }) => task === 'q')?.command).toMatch(/^troupe answer q "/);
    await asked(['answer', 'q', 'Yes, with the new grammar.'], { cwd });
    await until('the third to begin', () => textOf(inRun(cwd, 'agent-3', 'heartbeat.json')).includes('progress_at'));
    expect(textOf(inRun(cwd, 'agent-3', 'seen-args')).split('\0')).toContain('--resume');
    expect(textOf(inRun(cwd, 'agent-3', 'prompt.txt'))).toContain('Yes, with the new grammar.');
    const answered = await shownTask(cwd, 'q');
    for (const field of ['retry_count', 'rejection_count', 'review_feedback', 'failure_reason'])
      expect([field, answered[field]]).toEqual([field, undefined]);
  },
);

verifies(
  ['hold.silent-end', 'end.unfinished', 'end.evidence'],
  'whoever changed something and said nothing is asked, then reviewed, and merged by an approval alone; whoever answers is done',
  async () => {
    const cwd = asking(await repositoryProject());
    const silent = ['edits', 'leaves', 'quiet'];
    for (const play of [...silent, 'answers']) await addPlay(cwd, play, play);
    await addPlay(cwd, 'after', 'success', '--after-success', 'leaves');
    await serveClients(cwd);
    await untilStatus(cwd, 'answers', 'done');
    for (const play of silent) await untilStatus(cwd, play, 'pending-validation');
    const claims = (id: string) => logOf(cwd).filter(({ op, task_id }) => op === 'claim' && task_id === id).length;
    expect([...silent, 'answers', 'after'].map(claims)).toEqual([2, 2, 2, 2, 0]);
    const main = git(cwd, 'rev-parse', 'HEAD').trim();
    expect((await shownTask(cwd, 'leaves'))['evidence']).toMatchObject({ commit: main, base: main, clean: false });
    for (const play of silent) await asked(['approve', play], { cwd });
    const { status, evidence } = await shownTask(cwd, 'leaves');
    expect(status).toBe('done');
    // The commit of what it had left in its worktree, by which it was merged; not the one it began from.
    const { commit, clean } = evidence as { commit: string; clean: boolean };
    expect([clean, commit === main]).toEqual([true, false]);
    expect(git(cwd, 'diff-tree', '--no-commit-id', '--name-only', '-r', commit)).toContain('leaves.txt');
    expect(git(cwd, 'log', '--format=%H', 'refs/heads/wg/integration')).toContain(commit);
  },
);
