import { capacityOf } from '#core/agency/match.js';
import { type Person, personOf } from '#core/messages/person.js';
import { loadAgency } from '#operations/agency/open.js';
import { isPerson } from '#operations/agency/person.js';
import type { Context } from '#operations/operation.js';

/** The agents that are people, by id; read again when the files of the agency change. */
export function peopleById(context: Context): () => Promise<ReadonlyMap<string, Person>> {
  let read: { readonly stamp: string; readonly people: ReadonlyMap<string, Person> } | undefined;
  return async () => {
    const stamp = await (await context.agency()).stamp();
    if (read?.stamp !== stamp) read = { stamp, people: await peopleOf(context) };
    return read.people;
  };
}

async function peopleOf(context: Context): Promise<ReadonlyMap<string, Person>> {
  const people = new Map<string, Person>();
  for (const agent of (await loadAgency(context)).working()) {
    // Who is reached by the shell is told by nobody: such a task has a command, or waits for somebody to take it.
    if (agent.executor === 'shell' || !(await isPerson(context, agent.executor))) continue;
    people.set(agent.id, personOf({ ...agent, capacity: capacityOf(agent) }));
  }
  return people;
}
