<?php
// A blog in one file: a list, articles, a feed, a sitemap, redirects and previews.
// Settings are environment variables; the README lists them.
declare(strict_types=1);

const BLOG_PATH = '/journal';
const PAGE_SIZE = 9;
/** The number of seconds for which a stored response is used without asking the service. */
const FRESH_SECONDS = 60;

/** A response of the service, or null if it cannot be reached and nothing is stored. */
function api(string $path, array $query = [], bool $isStored = true): ?array
{
    $query = array_filter($query + ['projectId' => getenv('SVC_PROJECT')], fn ($value) => $value !== null && $value !== false);
    $url = rtrim(setting('SVC_URL'), '/') . $path . '?' . http_build_query($query);
    $folder = getenv('CACHE_DIR') ?: sys_get_temp_dir() . '/blog-cache';
    $file = $folder . '/' . hash('sha256', $url) . '.json';
    $stored = $isStored && is_file($file) ? json_decode((string) file_get_contents($file), true) : null;
    if ($stored !== null && time() - $stored['time'] < FRESH_SECONDS) return $stored;

    $headers = ['X-Api-Key: ' . setting('SVC_KEY'), 'Accept-Encoding: identity'];
    if ($stored !== null && $stored['etag'] !== null) $headers[] = 'If-None-Match: ' . $stored['etag'];
    $context = stream_context_create(['http' => [
        'header' => $headers, 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0
    ]]);
    $body = @file_get_contents($url, false, $context);
    $status = $body === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
    if ($status === 304) {
        $response = ['time' => time()] + $stored;
    } elseif ($status === 0 || $status === 429 || $status >= 500) {
        // Visitors see the stored version while the service is unavailable or the hourly limit is exceeded.
        return $stored;
    } else {
        $fields = header_fields($http_response_header);
        $response = [
            'time' => time(), 'status' => $status, 'etag' => $fields['etag'] ?? null,
            'type' => $fields['content-type'] ?? '', 'body' => $body
        ];
    }
    if ($isStored) {
        if (!is_dir($folder)) mkdir($folder, 0700, true);
        // Written elsewhere and renamed, so that no request reads half of a file.
        $draft = tempnam($folder, 'new');
        file_put_contents($draft, json_encode($response));
        rename($draft, $file);
    }
    return $response;
}

function header_fields(array $lines): array
{
    $fields = [];
    foreach ($lines as $line) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $fields[strtolower($name)] = trim($value);
    }
    return $fields;
}

function setting(string $name): string
{
    $value = getenv($name);
    if ($value === false || $value === '') {
        error_log("Set the environment variable $name.");
        stop(500, 'The blog is not configured.');
    }
    return $value;
}

function e(?string $text): string
{
    return htmlspecialchars((string) $text, ENT_QUOTES | ENT_SUBSTITUTE);
}

/** Ends the request with a page that has one sentence. */
function stop(int $status, string $sentence): never
{
    http_response_code($status);
    if ($status === 503) header('Retry-After: 60');
    page(['title' => $sentence], fn () => print('<h1>' . e($sentence) . '</h1><p><a href="' . BLOG_PATH . '">All posts</a></p>'));
    exit;
}

/** The decoded body of a response with status 200. Ends the request otherwise. */
function data(?array $response): array
{
    if ($response === null) stop(503, 'The blog is unavailable. Please try again in a minute.');
    $data = json_decode($response['body'], true);
    if ($response['status'] === 308) {
        header('Location: ' . BLOG_PATH . '/' . rawurlencode($data['slug']), true, 301);
        exit;
    }
    if (($data['code'] ?? '') === 'blog_gone') stop(410, 'This post was deleted.');
    if ($response['status'] === 404 || $response['status'] === 400) stop(404, 'There is no such post.');
    if ($response['status'] !== 200) {
        error_log('The service responded with ' . $response['status'] . ': ' . ($data['detail'] ?? ''));
        stop(500, 'The blog is not available.');
    }
    return $data;
}

/** A page of the site. `$head`: title, description, canonical and the like. */
function page(array $head, callable $content): void
{
    header('Content-Type: text/html; charset=utf-8');
    $css = <<<'CSS'
      :root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
      body { margin: 0 auto; max-width: 44rem; padding: 1rem 1.25rem 4rem; overflow-wrap: break-word;
             color: light-dark(#1f2328, #e6e8ea); background: light-dark(#fff, #15181b); }
      a { color: light-dark(#0b5cad, #8cc2ff); }
      h1 { line-height: 1.2; } time, .more { opacity: .8; font-size: .95rem; }
      .site { padding-block: .5rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
      .cards { display: grid; gap: 2rem; padding: 0; list-style: none; }
      @media (min-width: 40rem) { .cards { grid-template-columns: 1fr 1fr; } }
      .cover { display: block; width: 100%; height: auto; aspect-ratio: 16 / 9; object-fit: cover; border-radius: .375rem;
               background: color-mix(in srgb, currentColor 10%, transparent); }
      .cards h2, .cards h3 { margin: .5rem 0; font-size: 1.2rem; }
      CSS;
    ?><!doctype html>
<html lang="<?= e($head['lang'] ?? 'en') ?>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><?= e($head['title']) ?></title>
<?php if (isset($head['description'])): ?><meta name="description" content="<?= e($head['description']) ?>"><?php endif ?>

<?php if (isset($head['canonical'])): ?><link rel="canonical" href="<?= e($head['canonical']) ?>"><?php endif ?>

<?php foreach ($head['translations'] ?? [] as $one): if ($one['url'] !== null): ?>
<link rel="alternate" hreflang="<?= e($one['hreflang']) ?>" href="<?= e($one['url']) ?>">
<?php endif; endforeach ?>
<?php foreach ($head['meta'] ?? [] as $property => $value): ?>
<meta property="<?= e($property) ?>" content="<?= e($value) ?>">
<?php endforeach ?>
<?php if ($head['noindex'] ?? false): ?><meta name="robots" content="noindex"><?php endif ?>

<link rel="alternate" type="application/rss+xml" title="Posts" href="<?= BLOG_PATH ?>/feed.xml">
<link rel="icon" href="data:,">
<style><?= $css ?></style>
<?php if (isset($head['css'])): ?><style><?= $head['css'] ?></style><?php endif ?>

<?php if (isset($head['json'])): ?><script type="application/ld+json"><?= $head['json'] ?></script><?php endif ?>

</head>
<body>
<header class="site"><a href="<?= BLOG_PATH ?>">All posts</a></header>
<main><?php $content() ?></main>
</body>
</html>
<?php
}

function cards(array $posts, string $heading): void
{
    echo '<ul class="cards">';
    foreach ($posts as $post) {
        $url = BLOG_PATH . '/' . rawurlencode($post['slug']);
        echo '<li lang="' . e($post['locale']) . '">';
        // A post without a picture has an empty box of the same size.
        if ($post['cover'] === null) echo '<div class="cover"></div>';
        else picture($post['cover']);
        echo "<$heading><a href=\"" . e($url) . '" dir="auto">' . e($post['title']) . "</a></$heading>";
        echo '<p dir="auto">' . e($post['excerpt']) . '</p></li>';
    }
    echo '</ul>';
}

function picture(array $cover): void
{
    echo '<img class="cover" loading="lazy" sizes="(min-width: 40rem) 21rem, 100vw"';
    foreach (['srcset', 'width', 'height', 'alt'] as $name) {
        if ($cover[$name] !== null) echo " $name=\"" . e((string) $cover[$name]) . '"';
    }
    echo ' src="' . e($cover['url']) . '">';
}

function show_list(): void
{
    $page = max(1, min(1000, (int) ($_GET['page'] ?? 1)));
    $list = data(api('/api/v1/blogs', ['page' => $page, 'pageSize' => PAGE_SIZE]));
    page(['title' => $page === 1 ? 'Journal' : "Journal, page $page", 'description' => 'All posts of the journal.'],
        function () use ($list, $page) {
            echo '<h1>Journal</h1>';
            cards($list['blogs'], 'h2');
            echo '<p class="more">';
            if ($page > 1) echo '<a rel="prev" href="?page=' . ($page - 1) . '">Newer posts</a> ';
            if ($page < $list['totalPages']) echo '<a rel="next" href="?page=' . ($page + 1) . '">Older posts</a>';
            echo '</p>';
        });
}

function show_post(string $slug): void
{
    // The token of a preview link shows a draft. Previews are never stored.
    $token = is_string($_GET['preview'] ?? null) ? $_GET['preview'] : null;
    if ($token !== null) header('Cache-Control: no-store');
    $query = ['include' => 'related', 'preview' => $token];
    $post = data(api('/api/v1/blogs/' . rawurlencode($slug), $query, $token === null));
    $head = [
        'lang' => $post['lang'], 'title' => $post['metaTitle'], 'description' => $post['metaDescription'],
        'canonical' => $post['canonicalUrl'], 'translations' => $post['translations'],
        'css' => $post['cssContent'], 'json' => $post['schemaOrgJson'], 'noindex' => $token !== null,
        'meta' => [
            'og:type' => 'article', 'og:title' => $post['metaTitle'], 'og:description' => $post['metaDescription'],
            'og:url' => $post['canonicalUrl'], 'og:image' => $post['ogImageUrl'], 'twitter:card' => 'summary_large_image'
        ]
    ];
    page($head, function () use ($post) {
        echo '<article><h1 lang="' . e($post['lang']) . '" dir="' . e($post['dir']) . '">' . e($post['title']) . '</h1>';
        $names = implode(', ', array_column($post['authors'], 'name'));
        $date = format_date($post['publishedAt'], $post['lang']);
        echo '<p dir="' . e($post['dir']) . '">' . e($names) . ' <time datetime="' . e($post['publishedAt']) . '">' . e($date) . '</time></p>';
        echo $post['htmlContent'] . '</article>';
        if (($post['related'] ?? []) !== []) {
            echo '<aside><h2>Read next</h2>';
            cards($post['related'], 'h3');
            echo '</aside>';
        }
    });
}

/** A date in the language of a post, such as "November 24, 2026". Without the extension intl, only in English. */
function format_date(string $time, string $lang): string
{
    $date = new DateTimeImmutable($time, new DateTimeZone('UTC'));
    if (class_exists(IntlDateFormatter::class)) {
        $format = new IntlDateFormatter($lang, IntlDateFormatter::LONG, IntlDateFormatter::NONE, 'UTC');
        return (string) $format->format($date);
    }
    return $date->format(preg_match('/^en\b/', $lang) === 1 ? 'F j, Y' : 'Y-m-d');
}

/** The feed and the sitemap are passed on unchanged. */
function pass_on(string $name): void
{
    $query = $name === 'sitemap.xml' && isset($_GET['page']) ? ['page' => (int) $_GET['page']] : [];
    $response = api("/api/v1/blogs/$name", $query);
    if ($response === null || $response['status'] !== 200) data($response);
    header('Content-Type: ' . $response['type']);
    echo $response['body'];
}

$path = rawurldecode(explode('?', $_SERVER['REQUEST_URI'])[0]);
$rest = str_starts_with($path, BLOG_PATH . '/') ? substr($path, strlen(BLOG_PATH) + 1) : null;
if ($path === '/') header('Location: ' . BLOG_PATH, true, 302);
elseif ($path === BLOG_PATH) show_list();
elseif (in_array($rest, ['feed.xml', 'feed.json', 'sitemap.xml'], true)) pass_on($rest);
elseif ($rest !== null && preg_match('~^[^/]{1,200}$~D', $rest) === 1) show_post($rest);
else stop(404, 'There is no such page.');
