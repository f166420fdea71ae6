import type { Answer } from '#surfaces/http/contract.js';
import { Store } from '../../data/store.js';

/** A wish of a person, as far as it is known when the dialog opens. */
export interface Asked {
  readonly goal?: string;
  /** Its choice, as of `choiceOf`. */
  readonly playbook?: string;
}

type Row = Answer<'playbook.list'>['playbooks'][number];

/** A playbook as one word: kinds have names of their own, so a function may be called like a workflow. */
export const choiceOf = ({ kind, name }: Pick<Row, 'kind' | 'name'>): string => `${kind}:${name}`;

export function chosen(choice: string): { readonly kind: Row['kind']; readonly name: string } {
  const [, kind = 'workflow', name = ''] = /^(workflow|formation|function|blueprint):(.*)$/.exec(choice) ?? [];
  return { kind: kind as Row['kind'], name };
}

/** Set while the dialog that plans work is open. */
export const asked = new Store<Asked | undefined>(undefined);
