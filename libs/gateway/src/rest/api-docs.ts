import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { type Express } from 'express';
import { openApi } from './openapi.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Postmaster · REST</title>
    <link rel="stylesheet" href="/api/v1/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="page"></div>
    <script src="/api/v1/docs/swagger-ui-bundle.js"></script>
    <script src="/api/v1/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#page', validatorUrl: null });
`;

/** Swagger UI writes style attributes, and has pictures in its stylesheet. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const swaggerUi = () => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The description of the REST facade, and a page that shows it, served from the installed package. */
export const mountApiDocs = (app: Express, version: string): void => {
  app.get('/api/v1/openapi.json', (_req, res) => {
    res.json(openApi(version));
  });
  app.use('/api/v1/docs', (_req, res, next) => {
    res.setHeader('content-security-policy', POLICY);
    next();
  });
  app.get('/api/v1/docs', (_req, res) => {
    res.type('html').send(PAGE);
  });
  app.get('/api/v1/docs/start.js', (_req, res) => {
    res.type('js').send(START);
  });
  app.use('/api/v1/docs', express.static(swaggerUi(), { index: false, maxAge: '1h' }));
};
