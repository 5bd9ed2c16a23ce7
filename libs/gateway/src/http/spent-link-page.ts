/** What a person sees whose sign-in link is no longer good. Nothing of the request stands in it. */
export const SPENT_LINK_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Postmaster: sign in</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/page.css" />
  </head>
  <body>
    <header>
      <h1><img src="/icon.svg" alt="" width="28" height="28" /> Postmaster</h1>
    </header>
    <main>
      <section class="card">
        <h2>This sign-in link is no longer good</h2>
        <p>It signs one browser in, once, within 10 minutes of the server's start.</p>
        <ul>
          <li>Signed in before? Then <a href="/">open the page</a>: this browser may still be.</li>
          <li>Have an API key? <a href="/">Open the page</a> and sign in with it.</li>
          <li>Otherwise restart the server: it prints a new link.</li>
        </ul>
      </section>
    </main>
  </body>
</html>
`;
