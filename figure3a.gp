# Draws figure3a.csv (series, x, y; a block for each line); run it again after a change: gnuplot figure3a.gp
set datafile separator ','
set border 3 lw 0.7
set tics nomirror scale 0.5
set grid lw 0.4 lc rgb '#9aa0a6'
set xlabel 'SMs'
set ylabel 'active area (mm^2)'
set yrange [0:*]
set key outside top left horizontal Left reverse samplen 1.6 width 1 height 0.4
set lmargin 9
do for [form in 'svg pdf'] {
    if (form eq 'svg') {
        set terminal svg size 980,400 dynamic noenhanced font 'sans-serif,13'
    } else {
        set terminal pdfcairo noenhanced size 17cm,7cm font 'sans-serif,9'
    }
    set output 'figure3a.'.form
    plot \
        'figure3a.csv' index 0 using 2:3 with linespoints pt 7 ps 0.45 lw 2 lc rgb '#4c78a8' title 'crossbar', \
        'figure3a.csv' index 1 using 2:3 with linespoints pt 7 ps 0.45 lw 2 lc rgb '#f58518' title 'mesh', \
        'figure3a.csv' index 2 using 2:3 with linespoints pt 7 ps 0.45 lw 2 lc rgb '#54a24b' title 'smesh', \
        'figure3a.csv' index 3 using 2:3 with linespoints pt 7 ps 0.45 lw 2 lc rgb '#b279a2' title 'clos', \
        'figure3a.csv' index 4 using 2:3 with linespoints pt 7 ps 0.45 lw 2 lc rgb '#e45756' title 'butterfly', \
        'figure3a.csv' index 5 using 2:3 with linespoints pt 7 ps 0.45 lw 2 lc rgb '#72b7b2' title 'cdxbar'
    unset output
}
