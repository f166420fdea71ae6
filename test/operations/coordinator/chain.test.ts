import { expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { GraphState } from '#core/graph/state.js';
import { timestamp } from '#kernel/clock.js';
import { assign } from '#operations/agency/assign.js';
import { agencyRemove } from '#operations/agency/entities.js';
import { agencyInit } from '#operations/agency/init.js';
import { agentProvide } from '#operations/agency/provide.js';
import { watchedAgency } from '#operations/coordinator/agency-watch.js';
import { done } from '#operations/graph/done.js';
import { add } from '#operations/graph/tasks.js';
import { loadAgency } from '#operations/load-agency.js';
import { snapshot } from '../../core/coordinator/stage.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

const coded = (code: string) => expect.objectContaining({ code });

/** A project whose coordinator does by itself what these settings say; each tick is committed. */
async function season(settings: Readonly<Record<string, boolean>>) {
  const own = await stage();
  await own.call(agencyInit);
  own.configure({ agency: settings });
  const tick = async (maxAgents = 0) => {
    const view = (await own.store.view()) as GraphState;
    const agency = await watchedAgency(own.context())();
    const facts = { ...snapshot(view, { maxAgents, executor: 'claude' }), agency };
    const decisions = decide(facts, own.context().clock.now());
    await own.store.commit(() => ({ events: decisions.flatMap(({ events }) => events), result: undefined }));
    return decisions.map((one) => ('task' in one ? `${one.do} ${one.task}` : one.do));
  };
  const people = () => loadAgency({ agency: async () => own.agency, graph: async () => own.store });
  return { ...own, tick, people };
}

verifies(
  'auto.chain',
  'a task that is only added gets its place, an agent that is made for it, and a run as that agent',
  async () => {
    const { call, tick, people, store } = await season({ auto_place: true, auto_create: true, auto_assign: true });
    await call(add, { title: 'Write the docs', id: 'x', skills: ['documentation'] });
    expect(await tick()).toEqual(['place x', 'add-task create-agent-x', 'edit-task x']);
    expect((await store.view()).task('create-agent-x')).toMatchObject({
      exec: '"$TROUPE_BIN" assign "$IN_TASK" --provide',
      environment: { IN_TASK: 'x' },
      tags: ['assignment'],
    });
    expect(await tick()).toEqual([]);
    const made = await call(agentProvide, { id: 'x' });
    const why = /^no agent matched; Documenter covers documentation and has no score yet; Balanced is the best/;
    expect(made).toMatchObject({ kind: 'agent', name: 'Balanced Documenter', reason: expect.stringMatching(why) });
    expect((await store.view()).task('x')?.log?.at(-1)?.message).toBe(
      `Balanced Documenter (${made.id.slice(0, 8)}) was created for it: ${made.reason}`,
    );
    await call(done, { id: 'create-agent-x' });
    expect(await tick()).toEqual(['add-task assign-x', 'edit-task x']);
    expect(await call(assign, { id: 'x', auto: true })).toMatchObject({
      agent_id: made.id,
      reason: expect.stringContaining('has documentation; has room; 0.50 expected after 0 scores'),
    });
    expect((await store.view()).task('x')?.log?.at(-1)?.message).toContain('Assigned to Balanced Documenter');
    await call(done, { id: 'assign-x' });
    expect(await tick(4)).toEqual(['dispatch x']);
    expect((await people()).agent(made.id)?.lineage).toMatchObject({
      created_by: 'auto-create',
      created_at: timestamp(Date.parse('2026-03-01T10:00:00Z')),
    });
    await store.close();
  },
);

verifies(
  'create.auto',
  'one agent a tick, none where somebody matches or the setting is off, and by no run that is not for it',
  async () => {
    const { call, tick, configure, as, people, put, store } = await season({ auto_create: true });
    const roles = (await people()).all('role').length;
    for (const id of ['a', 'b']) await call(add, { title: id, id, skills: ['documentation'] });
    await call(add, { title: 'c', id: 'c', skills: ['cobol'] });
    configure({ agency: {} });
    expect(await tick()).toEqual([]);
    configure({ agency: { auto_create: true } });
    expect(await tick()).toEqual(['add-task create-agent-a', 'edit-task a']);
    await put('own', { status: 'in-progress', assigned: 'agent-7', fence: 1 });
    as({ kind: 'run', name: 'agent-7', taskId: 'own', fence: 1 });
    await expect(call(agentProvide, { id: 'a' })).rejects.toThrow(coded('not_yours'));
    as({ kind: 'person', name: 'ann' });
    await call(agentProvide, { id: 'a' });
    await call(done, { id: 'create-agent-a' });
    expect(await tick()).toEqual(['add-task create-agent-c', 'edit-task c']);
    await expect(call(agentProvide, { id: 'c' })).rejects.toThrow(coded('no_candidate'));
    expect((await people()).all('role')).toHaveLength(roles);
    await expect(call(agencyRemove, { kind: 'role', id: 'Documenter' })).rejects.toThrow(coded('in_use'));
    await store.close();
  },
);
