import { describe, expect, it } from 'vitest';
import { secretBox } from './secret-box.js';

const [old, young] = [Buffer.from('the old secret, thirty-two bytes'), Buffer.from('the new secret, thirty-two bytes')];
const about = ['acme', 'llm_model'];

describe('a sealed secret', () => {
  it('opens for what it is about only, and never twice looks the same', () => {
    const box = secretBox([old]);
    const sealed = box.seal('sk-canary', about);
    expect(box.open(sealed, about)).toBe('sk-canary');
    expect(sealed).not.toContain('sk-canary');
    expect(box.seal('sk-canary', about)).not.toBe(sealed);
    expect(() => box.open(sealed, ['other', 'llm_model'])).toThrow('not as it was stored');
    expect(() => box.open(`${sealed.slice(0, -4)}AAAA`, about)).toThrow('not as it was stored');
    expect(() => box.open(sealed.slice(0, 20), about)).toThrow('not as it was stored');
  });

  it('opens after its key was replaced, while that stays behind the new one', () => {
    const sealed = secretBox([old]).seal('sk-canary', about);
    expect(secretBox([young, old]).open(sealed, about)).toBe('sk-canary');
    expect(secretBox([young, old]).seal('x', about).split('.')[0]).not.toBe(sealed.split('.')[0]);
    expect(() => secretBox([young]).open(sealed, about)).toThrow(/secrets key "[0-9a-f]{8}"/);
  });
});
