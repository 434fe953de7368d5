// A worker of a browser.
import { serve } from './serve.js'

const answer = serve((message, transfer) => postMessage(message, transfer))
onmessage = event => answer(event.data)
