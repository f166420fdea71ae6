/** How the inputs one has to give are typed. */
export function inputWords(inputs: readonly { readonly name: string }[]): string {
  return inputs.map((input) => ` --input ${input.name}=…`).join('');
}
