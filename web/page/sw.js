// Keeps all files of the page, so that it works without a network. `scripts/web.sh` fills in both.
const VERSION = '@VERSION@'
const FILES = ['@FILES@']
// See engine.js: of both engines a platform needs one.
const PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11])
const OTHER = WebAssembly.validate(PROBE) ? '/engine/plain/' : '/engine/simd/'

addEventListener('install', event => {
  event.waitUntil(caches.open(VERSION).then(cache => cache.addAll(FILES.filter(file => !file.includes(OTHER)))).then(() => skipWaiting()))
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
