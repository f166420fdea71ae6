// SDKs of the services, built as a separate chunk: they bundle a whole zod, of which all other commands use little.
export { createAnthropic } from '@ai-sdk/anthropic';
export { createOpenAI } from '@ai-sdk/openai';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { createOpenRouter } from '@openrouter/ai-sdk-provider';
export { generateText } from 'ai';
