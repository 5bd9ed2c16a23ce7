import type { Format } from '../format.js';
export const pdf: Format = {
  contentType: 'application/pdf',
  extensions: ['pdf'],
  matches: () => false,
  parse: async () => ({ title: null, createdAt: null, text: '', blocks: [], metadata: {} }),
};
