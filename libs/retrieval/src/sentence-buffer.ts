import { CITATIONS_AT_START } from './citation-groups.js';
import { endsSentence } from './sentences.js';

const END = /[.!?…]+["'”’»)*_]*(?=[\s[【]|$)|[。！？]+["'”’」』]*|\n+/gu;

/**
 * Collects a text that comes in pieces and gives it back by whole sentences, each with the citations that follow its
 * full stop and with its white space, so that the pieces given back join to the text. Nothing of a sentence leaves
 * before it is known to be over.
 */
export class SentenceBuffer {
  private pending = '';

  /** The sentences that this piece has completed. */
  push(piece: string): string[] {
    this.pending += piece;
    return this.take(false);
  }

  /** What is left. */
  end(): string[] {
    const rest = this.take(true);
    if (this.pending !== '') rest.push(this.pending);
    this.pending = '';
    return rest;
  }

  private take(ended: boolean): string[] {
    const sentences: string[] = [];
    for (let cut = this.cut(ended); cut > 0; cut = this.cut(ended)) {
      sentences.push(this.pending.slice(0, cut));
      this.pending = this.pending.slice(cut);
    }
    return sentences;
  }

  /** Where the first sentence that is known to be over ends; 0 while none is. */
  private cut(ended: boolean): number {
    const text = this.pending;
    for (const match of text.matchAll(END)) {
      const stop = match.index;
      let end = stop + match[0].length;
      if (!match[0].startsWith('\n')) {
        const cited = CITATIONS_AT_START.exec(text.slice(end))?.[0] ?? '';
        end += cited.length;
        if (cited !== '' && /^[.;,]/.test(text.slice(end))) end++;
      }
      end += /^\s*/.exec(text.slice(end))?.[0].length ?? 0;
      const next = text.slice(end);
      if (!ended && (next === '' || mayBecomeCitation(next))) return 0;
      if (next === '') return 0; // the rest, given by end()
      if (match[0].startsWith('\n') || endsSentence(text, 0, stop, stop + match[0].length)) return end;
    }
    return 0;
  }
}

const mayBecomeCitation = (next: string): boolean => /^[[【][^\]】\n]{0,40}$/.test(next);
