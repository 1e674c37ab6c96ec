/** Styles of a site around the article, like those that customers have. */
export const SITE_STYLES: Readonly<Record<string, { name: string; css: string }>> = {
  plain: {
    name: 'Plain',
    css: `
body{margin:0;background:light-dark(#fff,#16191b);color:light-dark(#1d2326,#e2e6e5)}
body{font:1.0625rem/1.65 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 1.25rem}
a{color:light-dark(#0b57d0,#8ab4f8)}`
  },
  magazine: {
    name: 'Magazine',
    css: `
body{margin:0;background:light-dark(#fbf8f2,#1b1815);color:light-dark(#29231c,#ece5da)}
body{font:1.125rem/1.75 Georgia,'Times New Roman',serif}
main{max-width:40rem;margin:0 auto;padding:3rem 1.5rem 5rem}
h1{font-size:2.5rem;line-height:1.15;font-weight:500;margin:0 0 1.5rem;padding-bottom:1rem;border-bottom:1px solid}
h2,h3{font-weight:500;line-height:1.25}
a{color:light-dark(#8c2f16,#f0a58c)}`
  },
  shop: {
    name: 'Shop',
    css: `
*{box-sizing:border-box}
body{margin:0;background:light-dark(#eef1f4,#0d1117);color:light-dark(#20262e,#dfe5ec)}
body{font:0.9375rem/1.6 Arial,Helvetica,sans-serif}
main{max-width:50rem;margin:1.5rem auto;padding:1.5rem;background:light-dark(#fff,#161c24);border-radius:8px}
h1,h2,h3{line-height:1.25;letter-spacing:-.01em}
h1{font-size:1.75rem;margin:0 0 1rem}
a{color:light-dark(#006b5f,#5fd0c0);font-weight:600;text-decoration:none}`
  }
}
