import type { TaskTemplate } from './function.js';

/**
 * The template with every text field passed through `change`. Commands, tags, edges and bounds are no text fields: a value
 * can say what a task is about, never what is run or how the task is treated.
 */
export function mapTexts(template: TaskTemplate, change: (text: string) => string): TaskTemplate {
  const texts = (values: readonly string[] | undefined) => values?.map(change);
  const { description, verify, skills, inputs, deliverables } = template;
  return {
    ...template,
    title: change(template.title),
    ...(description === undefined ? {} : { description: change(description) }),
    ...(verify === undefined ? {} : { verify: change(verify) }),
    ...(skills === undefined ? {} : { skills: texts(skills) }),
    ...(inputs === undefined ? {} : { inputs: texts(inputs) }),
    ...(deliverables === undefined ? {} : { deliverables: texts(deliverables) }),
  };
}

/** Every text of these templates, in order. */
export function textsOf(templates: readonly TaskTemplate[]): string[] {
  const found: string[] = [];
  for (const template of templates) {
    mapTexts(template, (text) => {
      found.push(text);
      return text;
    });
  }
  return found;
}
