// Reads the file: everything that a hostile one could keep busy runs in here, where it can be ended.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
