// Keeps all files of the page, so that it works without a network. `scripts/web.sh` fills in both.
const VERSION = '@VERSION@'
const FILES = ['@FILES@']

addEventListener('install', event => {
  event.waitUntil(caches.open(VERSION).then(cache => cache.addAll(FILES)).then(() => skipWaiting()))
})

addEventListener('activate', event => {
  const isOld = name => name !== VERSION
  event.waitUntil(caches.keys()
    .then(names => Promise.all(names.filter(isOld).map(name => caches.delete(name))))
    .then(() => clients.claim()))
})

addEventListener('fetch', event => {
  if (event.request.method !== 'GET') return
  event.respondWith(caches.match(event.request, { ignoreSearch: true })
    .then(kept => kept ?? fetch(event.request)))
})
