import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CodedError, type Identity, TenantId } from '@postmaster/contracts';
import type { Request } from 'express';
import { hashOfKey, keyIn } from '../callers/authenticate.js';
import { requireSameOrigin } from '../callers/origin.js';
import { sessionCookie, sessionOfKey } from '../callers/session.js';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from './locals.js';
import { SPENT_LINK_PAGE } from './spent-link-page.js';

/** Whom the one-time link signs in: the tenant of a first start, with all that a tenant may. */
const BROWSER: Identity = {
  tenant: TenantId.parse('default'),
  subject: 'browser',
  scopes: ['read', 'write', 'admin'],
};

const wantsPage = (req: Request): boolean => req.accepts(['application/problem+json', 'text/html']) === 'text/html';

@Controller()
export class SignInController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  /** The link that the start prints. Good once. */
  @Get('sign-in')
  async byLink(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const { code } = req.query;
    if (typeof code !== 'string' || !this.front.links.spend(code)) {
      if (wantsPage(req)) return void res.status(401).type('html').send(SPENT_LINK_PAGE);
      throw new CodedError('SIGN_IN_LINK_SPENT', 'The sign-in link was used already, or is older than 10 minutes.');
    }
    await this.keep(res, BROWSER);
    res.redirect(303, '/');
  }

  /** An API key in the usual header becomes a session, so that links to documents work in the browser too. */
  @Post('sign-in')
  async byKey(@Req() req: Request, @Res() res: Answer): Promise<void> {
    requireSameOrigin(req.method, req.headers);
    const key = keyIn(req.headers);
    if (key === undefined) throw new CodedError('KEY_MISSING', 'The request carries no API key.');
    const identity = await identify(this.front, req, res);
    if (identity.scopes.includes('operator'))
      throw new CodedError('FORBIDDEN', "The operator's key signs no browser in.");
    await this.keep(res, sessionOfKey(identity, hashOfKey(key)));
    res.status(204).end();
  }

  @Post('sign-out')
  signOut(@Req() req: Request, @Res() res: Answer): void {
    requireSameOrigin(req.method, req.headers);
    res.setHeader('set-cookie', sessionCookie('', this.secure, 0));
    res.status(204).end();
  }

  private async keep(res: Answer, session: Identity): Promise<void> {
    res.setHeader('set-cookie', sessionCookie(await this.front.sessions.sign(session), this.secure));
    res.setHeader('cache-control', 'no-store');
  }

  private get secure(): boolean {
    return this.front.config.publicUrl?.startsWith('https:') ?? false;
  }
}
