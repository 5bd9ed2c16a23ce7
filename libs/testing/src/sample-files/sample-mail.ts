export interface MailPart {
  /** With parameters: "text/plain; charset=utf-8". */
  type: string;
  content: string | Uint8Array;
  /** Attached under this name. */
  name?: string;
  /** Other headers of the part. */
  headers?: Record<string, string>;
}

/** A mail with these headers and parts (RFC 5322, MIME): one part as it is, several as multipart/mixed. */
export const sampleMail = (headers: Record<string, string>, ...parts: readonly (MailPart | string)[]): Buffer => {
  const whole = { From: 'Anna Holm <anna@example.org>', To: 'Bo Lund <bo@example.org>', ...headers };
  const all = parts.map((part) => (typeof part === 'string' ? plainPart(part) : part));
  const [first] = all;
  const body = first && all.length === 1 ? partText(first) : mixed(all);
  return Buffer.from(`${lines(whole)}MIME-Version: 1.0\r\n${body}`);
};

const plainPart = (content: string): MailPart => ({ type: 'text/plain; charset=utf-8', content });

const lines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

const partText = ({ type, content, name, headers = {} }: MailPart): string => {
  const disposition: Record<string, string> =
    name === undefined ? {} : { 'Content-Disposition': `attachment; filename*=utf-8''${encodeURIComponent(name)}` };
  const base64 = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
  return `${lines({ 'Content-Type': type, ...disposition, 'Content-Transfer-Encoding': 'base64', ...headers })}\r\n${base64}\r\n`;
};

const mixed = (parts: readonly MailPart[]): string => {
  const inner = parts.map((part) => `--part\r\n${partText(part)}`).join('');
  return `Content-Type: multipart/mixed; boundary=part\r\n\r\n${inner}--part--\r\n`;
};
