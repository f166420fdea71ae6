import type { Visitor } from '#surfaces/http/contract.js';
import { projectResource } from './resource.js';
import { useStore } from './store.js';

const REFUSALS: Readonly<Record<Visitor, string | undefined>> = {
  person: undefined,
  observer: 'This browser may look and decide nothing: it came in by a link for observers.',
  run: 'This browser came in for a run. What is decided here, a person decides.',
};

/** Why this browser may decide nothing; undefined for a person. */
export function useRefusal(): string | undefined {
  const { answer } = useStore(projectResource.state); // the top bar loads it
  return answer === undefined ? undefined : REFUSALS[answer.visitor];
}
