// A worker of Node.
import { parentPort } from 'node:worker_threads'
import { serve } from './serve.js'

const answer = serve((message, transfer) => parentPort.postMessage(message, transfer))
parentPort.on('message', answer)
