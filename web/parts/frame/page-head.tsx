import { useMatches } from 'react-router';
import type { Head } from '../requests/head.ts';

/** What the head of the page says of it. Pages whose loader gives no `head` name themselves, and are in no search engine. */
export function PageHead() {
  const heads = useMatches().map(({ loaderData }) => (loaderData as { head?: Head } | undefined)?.head);
  const head = heads.findLast(Boolean);
  if (!head) return <meta name="robots" content="noindex" />;
  const { title, name, site, description, url, isIndexed, picture, facts, published, feed, data } = head;
  const properties = {
    'og:type': published ? 'article' : 'website',
    'og:title': name,
    'og:site_name': site,
    'og:description': description,
    'og:url': url,
    'og:image': picture?.url,
    'og:image:width': picture?.width,
    'og:image:height': picture?.height,
    'og:image:alt': picture?.alt,
    'article:published_time': published,
  };
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={url} />
      {feed && <link rel="alternate" type="application/atom+xml" title={feed.title} href={feed.url} />}
      {!isIndexed && <meta name="robots" content="noindex" />}
      {Object.entries(properties).map(
        ([property, content]) => content && <meta key={property} property={property} content={String(content)} />,
      )}
      {picture && <meta name="twitter:card" content="summary_large_image" />}
      {facts.flatMap(([label, value], n) => [
        <meta key={`label ${label}`} name={`twitter:label${n + 1}`} content={label} />,
        <meta key={`data ${label}`} name={`twitter:data${n + 1}`} content={value} />,
      ])}
      {data && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without signs that HTML knows, see structured-data.ts
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: data }} />
      )}
    </>
  );
}
