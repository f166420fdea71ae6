import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, troupe } from './program.js';

interface Member {
  readonly name: string;
  readonly archetype_id: string;
  readonly agent_id: string;
  readonly score: number | null;
  readonly count: number;
}

verifies(
  ['bridge.agent', 'casting.offline.reason'],
  'how the tasks of a member were scored stands with the member, and with its archetype when the next team is cast',
  async () => {
    const cwd = await project();
    await asked(['cast', 'manual', 'docs-writer', 'fact-checker'], { cwd });
    await asked(['cast', 'confirm'], { cwd });
    const members = async () => (await asked<{ members: Member[] }>(['team', 'show'], { cwd })).members;
    const writer = (await members()).find((member) => member.archetype_id === 'docs-writer');
    expect(writer).toMatchObject({ score: null, count: 0 });
    const goal = ['cast', 'goal', 'document our public HTTP interface', '--offline'];
    type Proposal = { members: { role: { id: string }; justification: string }[] };
    const reason = async () =>
      (await asked<Proposal>(goal, { cwd })).members.find(({ role }) => role.id === 'docs-writer')?.justification;
    expect(await reason()).not.toContain('here');
    for (const [index, score] of ['0.9', '0.8', '1'].entries()) {
      const id = `w${index}`;
      await asked(['add', `Write ${index}`, '--id', id, '--member', writer?.name ?? ''], { cwd });
      await asked(['claim', id], { cwd });
      await asked(['done', id], { cwd });
      await asked(['evaluate', 'record', '--task', id, '--score', score], { cwd });
    }
    const [scored, other] = ['docs-writer', 'fact-checker'].map(async (id) =>
      (await members()).find((member) => member.archetype_id === id),
    );
    expect(await scored).toMatchObject({ score: expect.closeTo(0.9), count: 3 });
    expect(await other).toMatchObject({ score: null, count: 0 });
    expect((await troupe(['team', 'show'], { cwd })).stdout).toContain('0.90 in 3 scores');
    // One chain: the agent that the member is, its role, the archetype.
    const performance = await asked<{ task_count: number }>(['agent', 'performance', writer?.agent_id ?? ''], { cwd });
    expect(performance.task_count).toBe(3);
    expect(await reason()).toContain('did well here: 0.90 in 3 scores');
  },
);
