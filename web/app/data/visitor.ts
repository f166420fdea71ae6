import type { Visitor } from '#surfaces/http/contract.js';
import { projectResource } from './resource.js';
import { useStore } from './store.js';

const REFUSALS: Readonly<Record<Visitor, string | undefined>> = {
  person: undefined,
  leader: 'This browser may lead the work. Only the owner can decide here.',
  member: 'This browser may do its own work. Only the owner can decide here.',
  observer: 'This browser is read-only: it used a link for observers.',
  run: 'This browser belongs to a run. Only a person can decide here.',
};

/** Reason why this visitor may not make decisions; undefined for a person. */
export function useRefusal(): string | undefined {
  const { answer } = useStore(projectResource.state); // the top bar loads it
  return answer === undefined ? undefined : REFUSALS[answer.visitor];
}
