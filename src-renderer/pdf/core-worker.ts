// Reads the file in a worker, which can be ended when a hostile file keeps it busy.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
