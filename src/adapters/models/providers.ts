// The services' own programs, built as a file of its own: they bring a whole zod along, of which all other commands use little.
export { createAnthropic } from '@ai-sdk/anthropic';
export { createOpenAI } from '@ai-sdk/openai';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { createOpenRouter } from '@openrouter/ai-sdk-provider';
export { generateText } from 'ai';
