/** Text that is HTML already. */
export class Markup {
  constructor(readonly markup: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): Markup => new Markup(text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one));

type Part = string | number | Markup | readonly Markup[];

/** A template in which every value is escaped, unless it is Markup. */
export const html = (texts: TemplateStringsArray, ...values: Part[]): Markup =>
  new Markup(texts.reduce((before, text, at) => before + markupOf(values[at - 1] ?? '') + text));

const markupOf = (part: Part): string => {
  if (part instanceof Markup) return part.markup;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part)).markup;
  return part.map(({ markup }) => markup).join('');
};

const ROW = 20;
const LABEL = 230;
const WIDTH = 760;

/** Bars from 0 to 1. */
export const barChart = (title: string, bars: readonly { name: string; value: number; own: boolean }[]): Markup => {
  const room = WIDTH - LABEL - 60;
  return html`<h2>${title}</h2>
    <svg viewBox="0 0 ${WIDTH} ${bars.length * ROW + 4}" role="img" aria-label="${title}">
      ${bars.map(({ name, value, own }, at) => {
        const y = at * ROW;
        const width = Math.round(room * value * 10) / 10;
        return html`<text x="0" y="${y + 14}">${name}</text
          ><rect class="${own ? 'own' : 'other'}" x="${LABEL}" y="${y + 3}" width="${width}" height="${ROW - 6}"></rect
          ><text x="${LABEL + width + 6}" y="${y + 14}">${value.toFixed(3)}</text>`;
      })}
    </svg>`;
};

/** A mean and its interval per row, on a scale that has zero in it. */
export const intervalChart = (rows: readonly { name: string; mean: number; low: number; high: number }[]): Markup => {
  const least = Math.min(0, ...rows.map(({ low }) => low));
  const range = Math.max(0, ...rows.map(({ high }) => high)) - least || 1;
  const x = (value: number): number => Math.round((LABEL + ((WIDTH - LABEL - 20) * (value - least)) / range) * 10) / 10;
  const height = rows.length * ROW + 4;
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Differences with their intervals">
    <line x1="${x(0)}" x2="${x(0)}" y1="0" y2="${height}" stroke-dasharray="3"></line>
    ${rows.map(({ name, mean, low, high }, at) => {
      const y = at * ROW + ROW / 2;
      return html`<text x="0" y="${y + 4}">${name}</text><line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"></line
        ><circle class="${low > 0 ? 'own' : 'other'}" cx="${x(mean)}" cy="${y}" r="4"></circle>`;
    })}
  </svg>`;
};
