/**
 * The page where an administrator enters a session token. It contains no script. `action`: the path
 * that the form posts the token to.
 */
export const signInPage = (action: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Queues: sign in</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 10vh auto; padding: 0 1rem; }
label, input, button { display: block; font: inherit; }
input { width: 100%; box-sizing: border-box; margin: .25rem 0 1rem; padding: .4rem .6rem; }
button { padding: .4rem 1.2rem; }
</style>
</head>
<body>
<h1>Queues</h1>
<form method="post" action="${action}">
<label for="token">Session token with the role <code>admin</code></label>
<input id="token" name="token" type="password" autocomplete="off" required autofocus>
<button>Sign in</button>
</form>
<p><code>svc queues --open</code> prints a token that is valid for an hour.</p>
</body>
</html>
`
