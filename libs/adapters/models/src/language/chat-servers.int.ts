import { describeChatServer } from '@postmaster/testing/suites';
import { type ChatSettings, modelsAt, type Provider } from './models-from-config.js';

const of = (provider: Provider) => ({
  provider,
  facets: (place: ChatSettings) => modelsAt(provider, place).facets,
  answers: (place: ChatSettings) => modelsAt(provider, place).answers,
});

describeChatServer("OpenAI's protocol", {
  ...of('openai'),
  ways: ['json_schema', 'tools', 'json_object', 'text'],
  tooLong: { status: 400, message: "This model's maximum context length is 8192 tokens. However, you requested 9000." },
  declines: true,
});
describeChatServer("Ollama's /api/chat", {
  ...of('ollama'),
  ways: ['json_schema', 'tools', 'json_object', 'text'],
  tooLong: { status: 400, message: 'the input length exceeds the context length' },
  declines: false,
});
describeChatServer("Ollama's /api/generate", {
  ...of('ollama'),
  path: '/api/generate',
  ways: ['json_schema', 'json_object', 'text'],
  tooLong: { status: 400, message: 'the input length exceeds the context length' },
  declines: false,
});
describeChatServer("Anthropic's protocol", {
  ...of('anthropic'),
  ways: ['json_schema', 'tools', 'text'],
  tooLong: { status: 400, message: 'prompt is too long: 208310 tokens > 200000 maximum' },
  declines: true,
});
describeChatServer("Google's protocol", {
  ...of('google'),
  ways: ['json_schema', 'tools', 'json_object', 'text'],
  tooLong: { status: 400, message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
  declines: true,
});
