interface ModelPrompt {
  readonly about: string;
  readonly argument: { readonly name: string; readonly description: string; readonly required: boolean };
  text(word: string): string;
}

/** Prompts for the client of a person, by name. What they name are tools of the tier `core`. */
const PROMPTS: Readonly<Record<string, ModelPrompt>> = {
  review: {
    about: 'Look at the work of a task that needs review, and say what you found',
    argument: { name: 'id', description: 'The task', required: true },
    text: (id) =>
      [
        `Review the work of the task ${JSON.stringify(id)} for me.`,
        'Read it with task_show: what was asked, what has to be checked, the result of the check, what the agent said at the end. Look with task_output at what it did, and at the files themselves where they are here.',
        'Say for each criterion whether it holds, and what you saw that shows it. What an agent says of itself shows nothing.',
        'Then ask me. Only when I have decided: task_approve, or task_reject with a reason that tells the next attempt what to do.',
      ].join('\n\n'),
  },
  handoff: {
    about: 'Hand work of this conversation to an agent as a task',
    argument: { name: 'work', description: 'The work; without it, what we were doing last', required: false },
    text: (work) =>
      [
        `Hand ${work === '' ? 'what we were doing last' : JSON.stringify(work)} over to an agent that does not know this conversation.`,
        'Look with task_list whether there is such a task already. Write the description so that it stands alone: the goal, what is done, what is left, files and commands that matter, what was tried and failed, what was decided and why, and how one sees that it is done. Leave secrets out.',
        'Show me title and description first. When I agree, add it with task_add, after the tasks it needs.',
      ].join('\n\n'),
  },
};

/** The prompts as a client lists them. */
export function listedPrompts() {
  return Object.entries(PROMPTS).map(([name, { about, argument }]) => ({
    name,
    description: about,
    arguments: [argument],
  }));
}

/** The text of a prompt; undefined if there is none of this name, or its argument is missing. */
export function textOfPrompt(name: string, values: Readonly<Record<string, string>>): string | undefined {
  const prompt = Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
  const word = prompt && (values[prompt.argument.name] ?? '');
  return word === undefined || (word === '' && prompt?.argument.required) ? undefined : prompt?.text(word);
}
