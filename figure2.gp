# Draws figure2.csv; run it again after a change: gnuplot figure2.gp
set datafile separator ','
set style data histograms
set style histogram rowstacked
set style fill solid 0.95 noborder
set boxwidth 0.62
set border 1 lw 0.7
set tics nomirror scale 0
set grid ytics lw 0.4 lc rgb '#9aa0a6'
set ylabel 'active area (mm^2)'
set xrange [-0.65:5.65]
set yrange [0:*]
set key outside top left horizontal Left reverse samplen 0.8 width 1 height 0.4
set lmargin 9
do for [form in 'svg pdf'] {
    if (form eq 'svg') {
        set terminal svg size 980,360 dynamic noenhanced font 'sans-serif,13'
    } else {
        set terminal pdfcairo noenhanced size 17cm,6.5cm font 'sans-serif,9'
    }
    set output 'figure2.'.form
    plot \
        'figure2.csv' using 2:xtic(1) every ::1 title 'buffers' lc rgb '#4c78a8', \
        'figure2.csv' using 3:xtic(1) every ::1 title 'crossbars' lc rgb '#f58518', \
        'figure2.csv' using 4:xtic(1) every ::1 title 'allocators' lc rgb '#54a24b', \
        'figure2.csv' using 5:xtic(1) every ::1 title 'clock' lc rgb '#b279a2', \
        'figure2.csv' using 6:xtic(1) every ::1 title 'repeaters' lc rgb '#e45756'
    unset output
}
