import { expect } from 'vitest';
import { assign } from '#operations/agency/assign.js';
import { agencyRemove, agentCreate, agentEdit } from '#operations/agency/entities.js';
import { agencyInit } from '#operations/agency/init.js';
import { analysisReport } from '#operations/insight/report.js';
import { verifies } from '../../verifies.js';
import { stage } from './place.js';

verifies('agency.rate', 'the rate of an agent reaches cost, forecast and plan; that of a member too', async () => {
  const members: { name: string; agentId: string }[] = [];
  const { call, put, store } = await stage({ squad: async () => ({ readTeam: async () => ({ members }) }) as never });
  await call(agencyInit);
  const { id } = await call(agentCreate, {
    name: 'Rusty',
    role: 'Programmer',
    tradeoff: 'Fast',
    capabilities: ['rust'],
  });
  const ann = await call(agentCreate, { name: 'Ann', executor: 'email', contact: 'ann@example.org', rate: 50 });
  members.push({ name: 'Trinity', agentId: ann.id });
  await put('a', { estimate: { hours: 2 } });
  await put('b', { estimate: { hours: 3 }, after: ['a'], member: 'trinity' });
  const cost = async () => (await call(analysisReport, { id: 'b' })).cost?.total_cost;
  expect(await cost()).toBe(150);
  await call(assign, { id: 'a', agent: 'Rusty' });
  expect(await cost()).toBe(150);
  await call(agentEdit, { id: 'Rusty', rate: 10.5 });
  expect(await cost()).toBe(171);
  const { forecast, plan } = await call(analysisReport, { budget: 21 });
  expect(forecast?.remaining_work.total_cost).toBe(171);
  expect(plan?.selected.map((task) => task.id)).toEqual(['a']);
  // whoever is out of use did the work all the same
  await call(agencyRemove, { kind: 'agent', id });
  expect(await cost()).toBe(171);
  await store.close();
});
