/** Signal of a delivery that nobody stops. */
export const LASTING = new AbortController().signal;
