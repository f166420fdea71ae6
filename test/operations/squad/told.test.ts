import path from 'node:path';
import { expect } from 'vitest';
import { decisionAdd, decisionArchive, decisionList } from '#operations/squad/decisions.js';
import { inboxAdd, inboxList, inboxMerge, inboxReject } from '#operations/squad/inbox.js';
import { add, briefingFor, list } from '#operations/squad/memories.js';
import { briefingAnswer } from '#operations/squad/memory-shapes.js';
import { sessionChange, sessionList, sessionShow, sessionStart } from '#operations/squad/work-sessions.js';
import { verifies } from '../../verifies.js';
import { MemoryStage } from '../team/memory-stage.js';
import { Calls, told } from '../told.js';

verifies('test.bites', 'the memory of a team answers every call as it was found good', async () => {
  const stage = await MemoryStage.withTeam();
  const calls = new Calls(() => stage.context());
  const say: Calls['say'] = async (operation, input) => {
    stage.now += 60_000;
    return await calls.say(operation, input);
  };
  await say(add, { agent: 'Neo', content: 'Tests come first.' });
  await say(add, { agent: 'Neo', content: 'Ask before a release.', type: 'pattern', importance: 'high' });
  await say(add, { agent: 'Trinity', content: 'Short sentences.', importance: 'low' });
  await say(add, { agent: 'Neo', content: '' });
  await say(add, { agent: 'Smith', content: 'x' });
  await say(list, {});
  await say(list, { agent: 'TRINITY' });
  await say(list, { agent: '?' });
  await say(list, { type: 'learning' });
  await say(list, { agent: 'Neo', type: 'pattern', limit: 2 });
  await say(list, { limit: 1 });

  await say(inboxAdd, { agent: 'Neo', title: ' -- Déjà vu, twice! -- ' });
  await say(inboxAdd, { agent: 'Neo', title: 'Lint', type: 'learning', content: 'Lint early.' });
  await say(inboxAdd, { agent: 'Trinity', title: 'Own', slug: 'own_slug', type: 'scope', rationale: 'Because.' });
  await say(inboxAdd, { agent: 'Trinity', title: `${'long word '.repeat(9)}end` });
  await say(inboxAdd, { agent: 'Trinity', title: '' });
  await say(inboxList, {});
  await say(inboxList, { limit: 2 });
  await say(inboxMerge, { number: 2 });
  await say(inboxMerge, { number: 3 });
  await say(inboxMerge, { number: 3 });
  await say(inboxMerge, { number: 99 });
  await say(inboxReject, { number: 1 });
  await say(inboxReject, { number: 4, reason: ' Too long. ' });
  await say(inboxReject, { number: 2, reason: 'Too late.' });
  for (const status of ['pending', 'merged', 'rejected', 'all'] as const) await say(inboxList, { status });
  await say(inboxAdd, { agent: 'Trinity', title: 'Own', slug: 'own_slug' });

  await say(decisionAdd, { title: 'One store' });
  await say(decisionAdd, { title: 'Two', type: 'architectural', content: 'C.', rationale: 'R.', agent: 'Neo' });
  await say(decisionAdd, { title: 'Three', supersedes: 2 });
  await say(decisionAdd, { title: '' });
  await say(decisionArchive, { number: 3 });
  await say(decisionArchive, { number: 99 });
  for (const status of [undefined, 'active', 'superseded', 'archived'] as const) await say(decisionList, { status });
  await say(decisionList, { limit: 1 });

  await say(sessionShow, {});
  await say(sessionChange, { context: 'Soon.' });
  await say(sessionChange, { focus: 'Release' });
  await say(sessionChange, { end: false });
  await say(sessionChange, { end: true });
  await say(sessionChange, { focus: 'Late' });
  await say(sessionShow, {});
  await say(sessionStart, { focus: 'Next' });
  await say(sessionStart, { focus: 'Again', context: 'There is one.' });
  await say(sessionList, {});
  await say(sessionList, { limit: 1 });
  for (const slug of ['neo', 'trinity', 'smith', undefined])
    calls.lines.push(`briefing ${slug}`, ...told(briefingAnswer(await briefingFor(stage.context(), slug))));
  await expect(calls.text).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/told.txt'));
});
