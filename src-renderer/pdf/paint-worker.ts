// Draws pages, away from the thread that scrolls.
import 'pdfjs-dist/legacy/build/pdf.renderer.mjs'
